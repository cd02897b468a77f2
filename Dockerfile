# One image for every process: what a container does is its command (compose.yaml).
# Chromium is driven by a program that needs libatomic1, which neither of them names.
FROM node:22-bookworm-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund

FROM python:3.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PLUMBLINE_DATA=/data \
    PLUMBLINE_STATIC=/app/collected PLUMBLINE_STATIC_COLLECTED=yes
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium fonts-dejavu-core fonts-noto-cjk fonts-symbola \
        libatomic1 libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements.lock
COPY . .
COPY --from=packages /packages/node_modules ./node_modules
# Compiled now: the user of the image may not write what it compiles, and would do it again at each start.
RUN useradd --system --home-dir /data plumbline \
    && python -m compileall -q -x '/(node_modules|tests)/' . \
    && python manage.py compilemessages \
    && python manage.py collectstatic --no-input \
    && rm -rf /data && install -d -o plumbline -m 700 /data
USER plumbline
VOLUME /data
ENTRYPOINT ["python", "manage.py"]
CMD ["serve", "web"]
