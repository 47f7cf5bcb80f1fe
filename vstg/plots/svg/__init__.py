"""Figures as small SVG pictures, without the script of plotly."""
