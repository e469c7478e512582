"""Only public addresses, however they are written or wrapped."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.fetch.addresses import literal_address, may_be_reached, opened_hosts

PUBLIC = ["8.8.8.8", "1.1.1.1", "193.6.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]
CLOSED = [
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "ff0e::1", "2001:db8::1"),
    *("::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1"),
    *("2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
]
LINK_LOCAL = [
    *("169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1", "::169.254.169.254", "::ffff:169.254.169.254"),
    *("::ffff:0:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_open(address: str) -> None:
    assert may_be_reached(address, opened=False)


@pytest.mark.parametrize("address", CLOSED)
def test_private_reserved_and_wrapped_addresses_are_closed(address: str) -> None:
    assert not may_be_reached(address, opened=False)


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_wrapping_an_address_does_not_open_it(address: IPv4Address) -> None:
    number = f"{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"
    for wrapped in (f"::ffff:{address}", f"64:ff9b::{address}", f"2002:{number}::1"):
        for opened in (True, False):
            assert may_be_reached(wrapped, opened=opened) == may_be_reached(str(address), opened=opened)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "192.168.1.1", "::1", "fd12::1", "::ffff:10.0.0.1"])
def test_a_host_that_is_opened_may_be_private(address: str) -> None:
    assert may_be_reached(address, opened=True)


@pytest.mark.parametrize("address", LINK_LOCAL)
def test_link_local_addresses_stay_closed(address: str) -> None:
    assert not may_be_reached(address, opened=True)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        *[(spelling, "127.0.0.1") for spelling in ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1")],
        ("::1", "::1"),
        ("pelda.example", None),
        ("1.pelda.example", None),
    ],
)
def test_every_spelling_of_an_address_is_known(host: str, address: str | None) -> None:
    assert literal_address(host) == address


def test_opened_hosts_compare_by_name() -> None:
    assert opened_hosts(["Localhost:8000", "127.0.0.1", "[::1]:80", "::2", " intranet.example "]) == {
        *("localhost", "127.0.0.1", "::1", "::2", "intranet.example")
    }
