# Kibitz as an image: two stages, an ordinary user, one volume. docs/hosting.md says how to run it.
#
#   docker build --tag kibitz .
#   docker run --publish 8000:8000 --volume kibitz:/data --read-only --tmpfs /tmp kibitz

ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /src
COPY requirements-uv.txt requirements-host.txt requirements-wheels.txt ./
# What runs: the packages of a host, each with the hash of the lock.
RUN pip install --no-cache-dir --require-hashes -r requirements-uv.txt \
    && python -m venv /opt/kibitz \
    && uv pip install --no-cache --python /opt/kibitz/bin/python --require-hashes -r requirements-host.txt
# What builds: the compiler of the kernels, and a linker. Nothing of it is in the image.
RUN python -m venv /opt/build \
    && uv pip install --no-cache --python /opt/build/bin/python --require-hashes -r requirements-wheels.txt
COPY . .
ARG TARGETARCH=amd64
RUN case "$TARGETARCH" in amd64) machine=x86_64 ;; arm64) machine=aarch64 ;; *) exit 1 ;; esac \
    && KIBITZ_WHEEL_PLATFORM="manylinux_2_17_$machine" /opt/build/bin/python -m hatchling build -t wheel -d /wheels \
    && uv pip install --no-cache --python /opt/kibitz/bin/python --no-deps --compile-bytecode /wheels/*.whl

FROM python:${PYTHON}-slim
RUN groupadd --gid 10001 kibitz \
    && useradd --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin kibitz \
    && install -d -o 10001 -g 10001 -m 700 /data
COPY --from=build /opt/kibitz /opt/kibitz
COPY packaging/docker/healthcheck.py /opt/kibitz/healthcheck.py
ENV PATH=/opt/kibitz/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    KIBITZ_DATA=/data \
    KIBITZ_HOST=0.0.0.0 \
    KIBITZ_PORT=8000 \
    XDG_CACHE_HOME=/tmp
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s \
    CMD ["python", "/opt/kibitz/healthcheck.py"]
ENTRYPOINT ["kibitz"]
CMD ["serve"]
