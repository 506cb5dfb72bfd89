"""Render documents and layouts as HTML, PDF and SVG."""
