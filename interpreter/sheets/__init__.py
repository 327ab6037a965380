"""Tell rules in words: sheets, lists, differences, translations."""
