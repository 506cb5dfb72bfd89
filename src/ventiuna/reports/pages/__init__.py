"""One set of templates: a document as records, and its pages as HTML and PDF."""
