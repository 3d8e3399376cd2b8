"""The site behind web servers as they are, and as the worst of them could be."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager, suppress

import pytest

from tests.browser.lite import Guard, Lesson, Live

pytestmark = pytest.mark.slow
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
CHAPTER, EXERCISE = "read/02-perceptron.html", "exercises/02-perceptron/perceptron.ipynb"
NGINX_SETTINGS = """
daemon off; master_process off; pid {here}/pid; error_log {here}/log;
events {{}}
http {{
    include /etc/nginx/mime.types; default_type application/octet-stream; sendfile on; gzip on; access_log off;
    client_body_temp_path {here}/1; proxy_temp_path {here}/2; fastcgi_temp_path {here}/3;
    uwsgi_temp_path {here}/4; scgi_temp_path {here}/5;
    server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def listening(port):
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


@contextmanager
def nginx(root, here):
    """Debian's nginx with its own types, at a free port; yields the address of the site."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    (here / "nginx.conf").write_text(NGINX_SETTINGS.format(here=here, root=root, port=port))
    server = subprocess.Popen([NGINX, "-c", str(here / "nginx.conf"), "-e", str(here / "log")])
    try:
        while not listening(port):
            assert server.poll() is None, (here / "log").read_text()
            time.sleep(0.05)
        yield f"http://localhost:{port}/some/path/"
    finally:
        server.terminate()
        server.wait(20)


@pytest.mark.skipif(NGINX is None, reason="no nginx: `apt install nginx-light`")
def test_page_and_lab_run_behind_nginx_as_debian_sets_it_up(browser, site_address, published, tmp_path):
    with nginx(published, tmp_path) as address:
        context = browser.new_context()
        guard = Guard(context, address)
        Live(context.new_page(), address + CHAPTER).settled()
        lesson = Lesson(context.new_page(), address, EXERCISE)
        assert lesson.execute("import coursekit as ck; print(ck.datasets.blobs().X.shape)")["text"] == "(200, 2)\n"
        context.close()
    assert guard.complaints == []
