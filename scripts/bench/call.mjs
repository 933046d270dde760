// One call over a connection of its own: servers let go of those that nobody uses, and whoever meets with that at the wrong
// moment would fail for no reason.
import { request } from 'node:http';

/** @returns {Promise<string>} what was answered; anything but 200 is an error */
export function call(url, body) {
  const { hostname, port, host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ hostname: hostname === 'localhost' ? '127.0.0.1' : hostname, port, path: pathname + search },
        ...{ method: body === undefined ? 'GET' : 'POST', headers: { host }, agent: false },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (more) => {
          text += more;
        });
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`${url}: ${answer.statusCode}: ${text.slice(0, 300)}`));
        });
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const callForJson = async (url) => JSON.parse(await call(url));
