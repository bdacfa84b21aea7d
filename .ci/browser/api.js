// The little of the public API that the browser tests need.
import { password } from './program.js';

// call sends a request below /api/v1 and returns the answer's JSON; anything but success is an error.
async function call(url, method, path, { token, body } = {}) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(method === 'PUT' || method === 'PATCH' ? { 'if-match': '*' } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

// login returns a client for one of the demonstration's accounts, with the id of its player where it has one.
export async function login(url, name) {
  const { access_token: token } = await call(url, 'POST', '/sessions', { body: { login: name, password } });
  const me = await call(url, 'GET', '/me', { token });
  return {
    token,
    player: me.player?.id,
    get: (path) => call(url, 'GET', path, { token }),
    post: (path, body) => call(url, 'POST', path, { token, body }),
    put: (path, body) => call(url, 'PUT', path, { token, body }),
    patch: (path, body) => call(url, 'PATCH', path, { token, body }),
  };
}
