// Asks whoever sits at the terminal.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * @param {NodeJS.ReadStream} input
 * @param {NodeJS.WriteStream} output
 * @returns null where nobody sits there
 */
export function askerOf(input, output) {
  if (!input.isTTY) return null;
  let isHidden = false;
  // What is typed as a secret is not shown; the question itself is.
  const shown = new Writable({
    write(chunk, encoding, done) {
      if (!isHidden) output.write(chunk, encoding);
      done();
    },
  });
  const lines = createInterface({ input, output: shown, terminal: true });
  lines.on('SIGINT', () => {
    output.write('\n');
    process.exit(130);
  });
  return {
    /** @param {{ text: string, secret: boolean }} question */
    async ask({ text, secret }) {
      output.write(`\n${text}\n> `);
      isHidden = secret;
      try {
        return await lines.question('');
      } finally {
        isHidden = false;
        if (secret) output.write('\n');
      }
    },
    close: () => lines.close(),
  };
}
