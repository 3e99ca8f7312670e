"""The dialogues of DSTC2."""
