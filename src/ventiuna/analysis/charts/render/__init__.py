"""A chart on paper and screen: text, HTML, SVG, PDF, TOML."""
