import { request } from 'node:http';

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends a request with the path unchanged; HTTP clients normalize paths, and attackers do not. */
export function raw(
  path: string,
  {
    method = 'GET',
    headers = {},
    origin = process.env.LORELOOM_URL as string,
  }: { method?: string; headers?: Record<string, string>; origin?: string } = {},
): Promise<Answered> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      {
        hostname,
        port,
        path,
        method,
        headers: { host, accept: 'text/html', ...headers },
        agent: false,
        setHost: false,
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(parts).toString('utf8'),
          }),
        );
        answer.on('error', reject);
      },
    );
    clientRequest.on('error', reject);
    clientRequest.end();
  });
}

/** Returns the address that an answer redirects to, relative to this site, or null. */
export function leadsTo({ headers }: Answered): URL | null {
  const { location } = headers;
  return typeof location === 'string' ? new URL(location, 'http://site.test/one/two') : null;
}
