"""Words and sentences of running text: no model, nothing to download, and nothing of the text is lost.

`tokenize` gives sentences of tokens. Every token says which white space follows it, so that joining them
gives the text back exactly.
"""
