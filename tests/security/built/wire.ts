import { request } from 'node:http';

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Asks with a path exactly as it is written: clients mend paths, and attackers do not. */
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
    const asked = request(
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
    asked.on('error', reject);
    asked.end();
  });
}

/** Where an answer sends whoever asked for it at this site; null where it sends nobody. */
export function leadsTo({ headers }: Answered): URL | null {
  const { location } = headers;
  return typeof location === 'string' ? new URL(location, 'http://site.test/one/two') : null;
}
