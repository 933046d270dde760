// What goes on by itself in production, on this machine: nothing here comes by at its times. Plain JavaScript for Node 20.

const MINUTE_MS = 60_000;

/** The times that wrangler.toml names. */
export function cronsOf(toml) {
  // In one line or in several, the last of which may end with a comma.
  const [, list = '[]'] = /^crons = (\[[^\]]*\])/m.exec(toml) ?? [];
  return JSON.parse(list.replace(/,\s*\]$/, ']'));
}

/** Whether a time comes in a minute. Only its first field tells: all of ours come in every hour of every day. */
export function isDue(cron, at) {
  const minute = at.getUTCMinutes();
  return (cron.split(' ')[0] ?? '').split(',').some((part) => {
    const [from, step = '1'] = part.split('/');
    return from === '*' ? minute % Number(step) === 0 : minute === Number(from);
  });
}

/**
 * Begins everything once, so that lists and figures are there, and from then on what is due at each minute.
 * @param {{ url: string, crons: string[], ask?: (address: string, options: { signal: AbortSignal }) => Promise<unknown> }} options
 * @returns ends it
 */
export function keepCrons({ url, crons, ask = fetch }) {
  const ended = new AbortController();
  const run = async (some) => {
    for (const cron of some) {
      const address = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
      // What went wrong stands in the Worker's log, and the next time comes.
      await Promise.resolve(ask(address, { signal: ended.signal })).catch(() => undefined);
    }
  };
  let timer;
  const awaitMinute = () => {
    const minute = MINUTE_MS * (Math.floor(Date.now() / MINUTE_MS) + 1);
    timer = setTimeout(() => {
      void run(crons.filter((cron) => isDue(cron, new Date(minute))));
      awaitMinute();
    }, minute - Date.now());
  };
  void run(crons);
  awaitMinute();
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
