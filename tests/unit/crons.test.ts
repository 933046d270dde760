import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CRONS } from '../../src/crons.ts';

test('What goes on by itself is begun when the deployment says, all of it', () => {
  const wrangler = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8');
  const [, list = ''] = /^crons = (\[.*\])$/m.exec(wrangler) ?? [];
  expect((JSON.parse(list) as string[]).toSorted()).toEqual(Object.values(CRONS).toSorted());
});

test('news are put in once in their hour: one run of the mails comes in its first quarter', () => {
  const minutes = (CRONS.mails.split(' ')[0] ?? '').split(',').map(Number);
  expect(minutes.filter((minute) => minute < 15)).toHaveLength(1);
});
