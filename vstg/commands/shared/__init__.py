"""Code that several commands share: parsers, tables, preparation and summaries."""
