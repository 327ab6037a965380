"""Compose house rules with what they change, and write rulesets out again."""
