"""Read rules: YAML and expressions to trees that know their places."""
