"""The name of this program, to people, to portals and in the files it writes."""

NAME = "webarticlecurator"
VERSION = "2.0.0"
PROGRAM = f"{NAME} {VERSION}"
