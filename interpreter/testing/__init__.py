"""Prove rules: by play, and by scenarios that authors write."""
