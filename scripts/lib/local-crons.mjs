// Runs the crons of wrangler.toml on this machine, which the local runtime does not. Plain JavaScript for Node 20.

const MINUTE_MS = 60_000;

/** Reads the schedules from wrangler.toml. */
export function readCrons(toml) {
  // The list takes one line or several, and may end with a comma.
  const [, list = '[]'] = /^crons = (\[[^\]]*\])/m.exec(toml) ?? [];
  return JSON.parse(list.replace(/,\s*\]$/, ']'));
}

/** Whether a schedule is due in a minute. Only its first field is read: all of ours run in every hour of every day. */
export function isDue(cron, at) {
  const minute = at.getUTCMinutes();
  return (cron.split(' ')[0] ?? '').split(',').some((part) => {
    const [from, step = '1'] = part.split('/');
    return from === '*' ? minute % Number(step) === 0 : minute === Number(from);
  });
}

/**
 * Runs every cron once, so that lists and statistics exist, then runs due crons each minute.
 * @param {{ url: string, crons: string[], ask?: (address: string, options: { signal: AbortSignal }) => Promise<unknown> }} options
 * @returns a function that stops it
 */
export function runCrons({ url, crons, ask = fetch }) {
  const ended = new AbortController();
  const run = async (some) => {
    for (const cron of some) {
      const address = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
      // The Worker logs the error, and the next run follows.
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
