"""HTTP messages as servers may send them, well-formed and not."""

from __future__ import annotations

from hypothesis import strategies as st

LINE_END = st.sampled_from([b"\r\n", b"\r\n", b"\n"])
STATUS_LINES = [
    *[b"HTTP/1.1 200 OK", b"HTTP/1.0 200 OK", b"HTTP/1.1 200", b"HTTP/1.1  404 Not Found", b"HTTP/1.1 204 No Content", b"HTTP/1.1 999 No"],
    *(b"HTTP/1.1 304 Not Modified", b"HTTP/2 200", b"ICY 200 OK", b"HTTP/1.1 20 OK", b"HTTP/1.1 200 \xff", b"HTTP/1.1 101 Switching"),
    b"hello",
]
INTERIM = [b"", b"", b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"]
HEADER_LINES = [
    *[b"Content-Type: text/html", b"Content-Type : text/plain", b" folded on", b"\tand on", b"no header", b"Bad Name: x", b": nothing"],
    *[b"X-Raw: \xc5\x91", b"X-Raw: \xff", b"X-Empty:", b"Connection: close", b"Connection: keep-alive", b"Set-Cookie: a=1"],
    *(b"Content-Length: 5", b"Content-Length : 5", b"Content-Length: 5, 5", b"Content-Length: 1_0", b"content-length: 3"),
    b"Content-Length:",
    *[b"Transfer-Encoding: chunked", b"Transfer-Encoding : chunked", b"transfer-encoding: gzip, chunked", b"Transfer-Encoding: identity"],
]
CHUNKS = [b"5\r\nhello\r\n", b" 5 \r\nhello\r\n", b"5;x=y\r\nhello\r\n", b"5\nhello\n", b"4\r\nhello\r\n", b"x\r\n", b"fffff\r\nhe"]
LAST_CHUNKS = [b"0\r\n\r\n", b"0\r\nX-Trailer: 1\r\n\r\n", b"0\n\n", b"0\r\n", b"00;x\r\n\r\n", b""]
SURPLUS = [b"", b"", b"\r\n", b"\n", b"<p>more</p>"]


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """What a server may send, well-formed and not, cut anywhere."""
    end = draw(LINE_END)
    head = [draw(st.sampled_from(STATUS_LINES)), *draw(st.lists(st.sampled_from(HEADER_LINES), max_size=5))]
    framing = draw(st.sampled_from([b"Content-Length: 5", b"Transfer-Encoding: chunked", None]))
    body = b"".join([*draw(st.lists(st.sampled_from(CHUNKS), max_size=3)), draw(st.sampled_from(LAST_CHUNKS))])
    if framing is not None:
        head.insert(draw(st.integers(1, len(head))), framing)
    if draw(st.booleans()):
        body = draw(st.sampled_from([b"hello", b"hello", b"", b"<p>hello</p>"]))
    whole = draw(st.sampled_from(INTERIM)) + end.join([*head, b"", b""]) + body + draw(st.sampled_from(SURPLUS))
    return whole[: draw(st.integers(0, len(whole)))] if draw(st.booleans()) else whole
