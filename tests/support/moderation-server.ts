import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive.mjs';

/**
 * A mock moderation model over real HTTP, with two interfaces: `POST /moderations` as OpenAI has it, and
 * `POST /chat/completions` as Llama Guard is asked. Markers in a text say what it finds:
 *
 *   [[finds:sexual]] [[finds:hate/threatening]]   categories of `/moderations`
 *   [[finds:S4]]                                  hazards of Llama Guard
 *   [[status:500]]                                this status, and no answer
 *   [[hangs]]                                     nothing at all; also everywhere below `/hanging`
 *   [[odd]]                                       an invalid answer
 *
 * `GET /v1/control/texts?with=word` returns the texts with this word that it was asked about.
 */
export interface ModerationServer {
  /** The base URL, without `/moderations`. */
  url: string;
  close(): Promise<void>;
}

const CATEGORIES = [
  'sexual',
  'sexual/minors',
  'harassment',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'violence',
  'violence/graphic',
];

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const findCategories = (text: string): string[] =>
  [...text.matchAll(/\[\[finds:([^\]]+)\]\]/g)].map(([, what]) => what ?? '');

export async function startModerationServer(): Promise<ModerationServer> {
  const texts: { text: string; path: string; authorization: string | null }[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (pathname.endsWith('/control/texts')) {
      const word = searchParams.get('with') ?? '';
      return send(
        200,
        texts.filter(({ text }) => text.includes(word)),
      );
    }
    const asked = JSON.parse(await readBody(request)) as { input?: string; messages?: { content: string }[] };
    const isChat = pathname.endsWith('/chat/completions');
    const text = (isChat ? asked.messages?.at(-1)?.content : asked.input) ?? '';
    texts.push({ text, path: pathname, authorization: request.headers.authorization ?? null });
    if (text.includes('[[hangs]]') || pathname.includes('/hanging/')) return;
    const status = /\[\[status:(\d+)\]\]/.exec(text)?.[1];
    if (status !== undefined) return send(Number(status), { error: { message: `about «${text}»` } });
    if (text.includes('[[odd]]')) return send(200, { verdict: 'fine' });
    const finds = findCategories(text);
    if (isChat) {
      const content = finds.length === 0 ? '\n\nsafe' : `\n\nunsafe\n${finds.join(',')}`;
      return send(200, { choices: [{ message: { role: 'assistant', content } }] });
    }
    const categories = Object.fromEntries(CATEGORIES.map((name) => [name, finds.includes(name)]));
    return send(200, { id: 'modr-1', model: 'test', results: [{ flagged: finds.length > 0, categories }] });
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
