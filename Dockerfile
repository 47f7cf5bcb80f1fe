# Two stages: the first builds, the second has only what the dashboard runs with.
FROM python:3.11-slim AS build
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/vstg
# The pinned packages first: this layer stays while the code changes.
# --build-arg LOGIN=1 adds what `vstg app --login` needs.
ARG LOGIN=
COPY requirements.txt requirements-login.txt ./
RUN /opt/vstg/bin/pip install -r requirements.txt ${LOGIN:+-r requirements-login.txt}
COPY pyproject.toml setup.py MANIFEST.in LICENSE app.py ./
COPY .streamlit/config.toml .streamlit/
COPY sample_data sample_data
COPY results results
COPY pages pages
COPY vstg vstg
RUN /opt/vstg/bin/pip install --no-deps .

FROM python:3.11-slim
# /data holds the runs, /cache the compiled kernels; the user owns nothing else.
RUN useradd --create-home --uid 1000 vstg && mkdir /data /cache && chown vstg /data /cache
COPY --from=build /opt/vstg /opt/vstg
ENV PATH=/opt/vstg/bin:$PATH \
    NUMBA_CACHE_DIR=/cache \
    VSTG_STORE=/data/runs.sqlite \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0
USER vstg
WORKDIR /home/vstg
RUN vstg compile
VOLUME /data
EXPOSE 8501
# Compiling anew on another kind of processor takes half a minute; hence the start period.
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["vstg", "app"]
