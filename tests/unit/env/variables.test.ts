import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { variablesPage } from '../../../scripts/write-variables.mjs';
import {
  createConfigErrorResponse,
  isMisconfigured,
  readEnvironment,
} from '../../../src/env/read-environment.ts';
import { getVariables, type Variable } from '../../../src/env/schema.js';
import { MODEL_TIMEOUTS } from '../../../src/vendors/model.ts';

const VARIABLES = getVariables();
const GOOD: Record<string, string> = {
  AUTH_SECRET: 'long-enough-to-be-one',
  MAIL_FROM: 'Us <hello@example.test>',
};

/** A value that is right, and some that are wrong, for each kind of variable: a new kind needs its own. */
const SAMPLES: Record<Variable['kind'], { right: string; wrong: string[] }> = {
  secret: {
    right: 'a-secret-that-is-as-long-as-any-of-them-wants',
    wrong: ['sh0rt', 'two\nlines-of-a-secret-that-is-long'],
  },
  key: { right: 'sk-abc_123', wrong: ['with a blank', 'ümlaut'] },
  id: { right: 'P-5ML4271244454362WXNWU5NQ', wrong: ['an id of words', 'i'.repeat(2001)] },
  text: { right: 'llama-3.1-70b', wrong: ['t'.repeat(2001), 'two\nlines'] },
  word: { right: 'priority', wrong: ['w.o.r.d', 'some words'] },
  base: {
    right: 'http://10.0.0.8:11434/v1',
    wrong: ['ollama:11434/v1x', 'ftp://models.example/v1', 'nowhere'],
  },
  'safe-base': { right: 'https://api.example/v1', wrong: ['http://api.example', 'nowhere'] },
  'safe-address': { right: 'https://ages.example/check', wrong: ['http://ages.example/', 'nowhere'] },
  site: { right: 'https://chat.example', wrong: ['loreloom.example', 'mailto:us@loreloom.example'] },
  sender: { right: 'Us <us@example.test>', wrong: ['Nobody', 'Nobody <nobody>', 'a@b@c.example'] },
  email: { right: 'us@example.test', wrong: ['nobody', 'us@nowhere', 'Us <us@example.test>'] },
  emails: { right: 'a@example.test, b@example.test', wrong: ['nobody', 'a@example.test; nobody'] },
  links: {
    right: 'Discord=https://discord.example',
    wrong: ['https://discord.example', 'A=http://a.example'],
  },
  number: { right: '2048', wrong: ['-7', 'seven', '9e99', ' '] },
  choice: { right: '', wrong: ['sometimes', 'TRUE'] },
  measurement: { right: 'G-ABCDE12345', wrong: ['UA-12345-6', 'G-AB"><script>'] },
};

const samplesOf = ({ kind, wants }: Variable) => ({
  right: kind === 'choice' ? (wants.split(' or ')[0] ?? '') : SAMPLES[kind].right,
  wrong: SAMPLES[kind].wrong,
});

/** Samples of the variables that it requires, so that only its own value can be wrong. */
function companions(name: string): Record<string, string> {
  const needs = Object.entries(VARIABLES).filter(([, { requiredWith = [] }]) => requiredWith.includes(name));
  return Object.fromEntries(needs.map(([other, variable]) => [other, samplesOf(variable).right]));
}

/** What the environment says of these variables; empty where it takes them. */
function said(variables: Record<string, string>): string {
  try {
    readEnvironment(variables as unknown as Env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const ALL = Object.entries(VARIABLES);

describe('Each variable', () => {
  test.each(ALL)('%s accepts a valid value', (name, variable) => {
    expect(said({ ...GOOD, ...companions(name), [name]: samplesOf(variable).right })).toBe('');
  });

  test.each(
    ALL.flatMap(([name, variable]) => samplesOf(variable).wrong.map((wrong) => [name, wrong] as const)),
  )('the error about %s set to %j says in one sentence what it wants, without the value', (name, wrong) => {
    const sentence = said({ ...GOOD, ...companions(name), [name]: wrong });
    expect(sentence).toMatch(
      new RegExp(
        `^The environment is not right: ${name}: it wants [^;\\n]+\\. See docs/tables/variables\\.md\\.$`,
      ),
    );
    // A blank alone is in every sentence.
    if (wrong.trim() !== '') expect(sentence).not.toContain(wrong);
  });

  test.each(ALL.filter(([, { required }]) => required))('the error names %s when it is missing', (name) => {
    for (const empty of [undefined, '']) {
      const { [name]: _, ...others } = GOOD;
      const sentence = said(empty === undefined ? others : { ...others, [name]: empty });
      expect(sentence).toMatch(
        new RegExp(
          `^The environment is not right: ${name}: it is missing; it wants [^;\\n]+\\. See docs/tables/variables\\.md\\.$`,
        ),
      );
    }
  });

  test.each(
    ALL.flatMap(([name, { requiredWith = [] }]) => requiredWith.map((other) => [name, other] as const)),
  )('the error names %s when %s is set without it', (name, other) => {
    const [otherName = '', value] = other.split('=');
    const set = value ?? samplesOf(VARIABLES[otherName] as Variable).right;
    const { [name]: _, ...beside } = companions(other);
    const sentence = said({ ...GOOD, ...beside, [otherName]: set });
    expect(sentence).toContain(`${name}: it is missing, and ${otherName} needs it`);
    expect(sentence).not.toContain(set);
  });

  test.each(ALL.filter(([, { secret, required }]) => secret && !required))(
    'the secret %s is accepted without the variable that it belongs to',
    (name, variable) => {
      expect(said({ ...GOOD, [name]: samplesOf(variable).right })).toBe('');
    },
  );

  test('the sentence names every problem at once: values that are wrong, and variables that are missing', () => {
    const sentence = said({ SITE_URL: 'nowhere', AUTH_SECRET: 'sh0rt', MODERATION_KIND: 'no kind' });
    for (const [name, problem] of [
      ['AUTH_SECRET', 'it wants a secret'],
      ['SITE_URL', 'it wants the address'],
      ['MAIL_FROM', 'it is missing; it wants'],
      ['MODERATION_KIND', 'it wants openai or llama-guard'],
      ['MODERATION_BASE_URL', 'it is missing, and MODERATION_KIND needs it; it wants'],
    ])
      expect(sentence.split(`${name}: ${problem}`)).toHaveLength(2);
    expect(sentence).not.toMatch(/nowhere|sh0rt|no kind/);
  });

  test('the default of a variable passes its own check', () => {
    for (const [name, variable] of ALL.filter(([, one]) => one.default !== undefined))
      expect(said({ ...GOOD, ...companions(name), [name]: variable.default as string }), name).toBe('');
    expect(VARIABLES['MODEL_ROLEPLAY_IDLE_SECONDS']?.default).toBe(String(MODEL_TIMEOUTS.idleMs / 1000));
  });

  test('docs/tables/variables.md is what `node scripts/write-variables.mjs` writes', () => {
    const even = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ').trim();
    const page = readFileSync(new URL('../../../docs/tables/variables.md', import.meta.url), 'utf8');
    expect(even(page)).toBe(even(variablesPage()));
  });

  test('the environment reader reads exactly the variables of the schema', () => {
    const source = readFileSync(new URL('../../../src/env/read-environment.ts', import.meta.url), 'utf8');
    const read = [...source.matchAll(/values(?:\.|\[`)(MODEL_\$\{name\}_)?([A-Z_]+)/g)].map(
      ([, model, name]) => (model === undefined ? (name as string) : `MODEL_ROLEPLAY_${name}`),
    );
    const named = ALL.map(([name]) => name).filter((name) => !/^MODEL_(?!ROLEPLAY)/.test(name));
    expect([...new Set(read)].sort()).toEqual(named.sort());
  });
});

describe('Misconfigured site', () => {
  const wrong = { ...GOOD, SITE_URL: 'a-place-of-my-own' } as unknown as Env;

  test.each(['/', '/en/chat/abc', '/media/x.webp'])(
    'a misconfigured site answers %s with a bare 503 that reveals nothing',
    async (path) => {
      const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const answer = createConfigErrorResponse(new Request(`https://chat.example${path}`), wrong);
      expect(answer?.status).toBe(503);
      expect(await answer?.text()).toBe('Server error. Please try again later.\n');
      expect(answer?.headers.get('cache-control')).toBe('private, no-store');
      expect(answer?.headers.get('retry-after')).toBe('60');
      expect(error).toHaveBeenCalledTimes(1);
      const line = JSON.parse(String(error.mock.calls[0]?.[0])) as { request_id: string };
      expect(answer?.headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/);
      expect(line.request_id).toBe(answer?.headers.get('x-request-id'));
      error.mockRestore();
    },
  );

  test('a misconfigured site answers API calls with an error in JSON', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const answer = createConfigErrorResponse(new Request('https://chat.example/api/health'), wrong);
    expect(answer?.status).toBe(503);
    expect(await answer?.json()).toEqual({
      error: 'Server error. Please try again later.',
      code: 'server_error',
    });
    expect(answer?.headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/);
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
    error.mockRestore();
  });

  test('a misconfigured site logs the error with the variable’s name and without its value', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(isMisconfigured(wrong, 'cron')).toBe(true);
    const line = String(error.mock.calls[0]?.[0]);
    error.mockRestore();
    expect(JSON.parse(line)).toMatchObject({ event: 'config_invalid', level: 'error' });
    expect(line).toContain('SITE_URL: it wants the address of the site');
    expect(line).not.toContain('a-place-of-my-own');
  });

  test('a site is open again once the variable is valid', () => {
    expect(
      createConfigErrorResponse(new Request('https://chat.example/'), GOOD as unknown as Env),
    ).toBeNull();
    expect(isMisconfigured(GOOD as unknown as Env, 'cron')).toBe(false);
  });
});
