import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type ModerationInput,
  applyRules,
  type RefusalRule,
  resolveVerdict,
  MODERATOR_COOLDOWN_MS,
  createModerator,
} from '../../../../src/features/safety/moderation.ts';
import {
  MODERATION_LIMITS,
  type ModerationConcern,
  type ModerationSettings,
  moderateText,
} from '../../../../src/vendors/moderation.ts';
import { type ModerationServer, startModerationServer } from '../../../support/moderation-server.ts';

const PUBLISHED: ModerationInput = { place: 'publication', adult: false };
const SPICY: ModerationInput = { place: 'publication', adult: true };
const MESSAGE: ModerationInput = { place: 'message', adult: false };
const MESSAGE_SPICY: ModerationInput = { place: 'message', adult: true };
const REPLY: ModerationInput = { place: 'reply', adult: false };
const REPLY_SPICY: ModerationInput = { place: 'reply', adult: true };
const REPLY_IN_CRISIS: ModerationInput = { place: 'reply', adult: false, crisisOpen: true };
const PLACES = { PUBLISHED, SPICY, MESSAGE, MESSAGE_SPICY, REPLY, REPLY_SPICY, REPLY_IN_CRISIS };

const ruleFor = (concern: ModerationConcern, about: ModerationInput): RefusalRule | null => {
  const verdict = resolveVerdict({ ok: true, crisis: null }, { concerns: [concern] }, about);
  return verdict.ok ? null : verdict.rule;
};

describe('Moderation concerns', () => {
  const TABLE: [ModerationConcern, Partial<Record<keyof typeof PLACES, RefusalRule>>][] = [
    ['minors', Object.fromEntries(Object.keys(PLACES).map((place) => [place, 'minors']))],
    ['sexual', { PUBLISHED: 'sexual', MESSAGE: 'sexual', REPLY: 'sexual', REPLY_IN_CRISIS: 'sexual' }],
    ['sexual_crime', Object.fromEntries(Object.keys(PLACES).map((place) => [place, 'sexual']))],
    ['violence_graphic', { PUBLISHED: 'violence' }],
    ['hate', { PUBLISHED: 'hate', SPICY: 'hate' }],
    ['hate_threatening', Object.fromEntries(Object.keys(PLACES).map((place) => [place, 'hate']))],
    ['illegal', { PUBLISHED: 'illegal', SPICY: 'illegal' }],
    ['weapons', Object.fromEntries(Object.keys(PLACES).map((place) => [place, 'illegal']))],
    [
      'self_harm_methods',
      {
        PUBLISHED: 'urging',
        SPICY: 'urging',
        REPLY: 'urging',
        REPLY_SPICY: 'urging',
        REPLY_IN_CRISIS: 'urging',
      },
    ],
    ['suicide', { REPLY_IN_CRISIS: 'urging' }],
    ['self_harm', { REPLY_IN_CRISIS: 'urging' }],
  ];

  test.each(TABLE)('the concern %s is refused in its listed places and nowhere else', (concern, refused) => {
    const rules = Object.entries(PLACES).map(([place, about]) => [place, ruleFor(concern, about)]);
    expect(rules).toEqual(
      Object.keys(PLACES).map((place) => [place, refused[place as keyof typeof PLACES] ?? null]),
    );
  });

  test('the gravest of several refusal reasons is returned', () => {
    const verdict = resolveVerdict(
      { ok: true, crisis: null },
      { concerns: ['sexual', 'minors', 'weapons'] },
      MESSAGE,
    );
    expect(verdict).toEqual({ ok: false, rule: 'minors', crisis: null });
  });

  test('a crisis is reported for messages of users and refuses nothing', () => {
    const answered = { concerns: ['self_harm'] as const };
    expect(resolveVerdict({ ok: true, crisis: null }, answered, MESSAGE)).toEqual({
      ok: true,
      crisis: 'self_harm',
    });
    expect(resolveVerdict({ ok: true, crisis: null }, answered, REPLY)).toEqual({ ok: true, crisis: null });
    expect(resolveVerdict({ ok: true, crisis: 'suicide' }, { concerns: [] }, MESSAGE)).toEqual({
      ok: true,
      crisis: 'suicide',
    });
  });

  test('a moderation model cannot overrule a refusal by the rules', () => {
    const rules = { ok: false, rule: 'minors', crisis: null } as const;
    expect(resolveVerdict(rules, { concerns: [] }, SPICY)).toEqual(rules);
    expect(resolveVerdict(rules, 'failed', SPICY)).toEqual(rules);
  });
});

describe('Moderation model outage', () => {
  const fine = { ok: true, crisis: null } as const;
  const closed = { ok: false, rule: 'unavailable', crisis: null };

  test('nothing is published and no adult text passes while the moderation model is down', () => {
    for (const about of [PUBLISHED, SPICY, MESSAGE_SPICY, REPLY_SPICY])
      expect(resolveVerdict(fine, 'failed', about)).toEqual(closed);
  });

  test('a general conversation continues with the rules alone', () => {
    for (const about of [MESSAGE, REPLY]) expect(resolveVerdict(fine, 'failed', about)).toEqual(fine);
  });

  test('a crisis is still reported while the moderation model is down', () => {
    const needed = { ok: true, crisis: 'suicide' } as const;
    expect(resolveVerdict(needed, 'failed', MESSAGE)).toEqual(needed);
    expect(resolveVerdict(needed, 'failed', MESSAGE_SPICY)).toEqual({ ...closed, crisis: 'suicide' });
  });
});

describe('Moderation rules', () => {
  test('the rules refuse sexual content with minors everywhere, in spicy mode or not', () => {
    for (const about of Object.values(PLACES))
      expect(applyRules('A 14-year-old girl has sex.', about)).toMatchObject({ ok: false, rule: 'minors' });
  });

  test('the rules accept sexual content between adults', () => {
    for (const about of Object.values(PLACES))
      expect(applyRules('They are both 34 and have sex.', about)).toEqual({ ok: true, crisis: null });
  });

  test('the rules report a crisis in messages but not in replies or publications', () => {
    expect(applyRules('I want to kill myself', MESSAGE).crisis).toBe('suicide');
    expect(applyRules('I want to kill myself', REPLY).crisis).toBeNull();
    expect(applyRules('I want to kill myself', PUBLISHED).crisis).toBeNull();
  });

  test('the rules refuse publications that urge their reader to die, and characters made for that', () => {
    const refused = { ok: false, rule: 'urging' };
    for (const text of [
      'She encourages {{user}} to kill themself.',
      'Kill yourself tonight, my love. Everyone would be better off without you.',
      'Er treibt {{user}} in den Selbstmord.',
      '她怂恿用户自杀。',
    ]) {
      for (const about of [PUBLISHED, SPICY])
        expect([text, applyRules(text, about)]).toMatchObject([text, refused]);
      // A user who writes this in a chat may need help or play a villain.
      expect(applyRules(text, MESSAGE).ok).toBe(true);
    }
    for (const text of [
      'Her brother took his own life, and she talks with {{user}} about grief.',
      'She encourages {{user}} to talk about suicidal thoughts and to seek help.',
      'A knight who helps {{user}} to kill the dragon.',
      'He convinces {{user}} not to kill themself.',
    ])
      expect([text, applyRules(text, PUBLISHED).ok]).toEqual([text, true]);
    expect(applyRules('Kill yourself.', { ...PUBLISHED, exemptRules: new Set(['urging']) }).ok).toBe(true);
  });

  test('the rules suffice without a request when no model is configured', async () => {
    const moderator = createModerator(null);
    expect(moderator.hasModel).toBe(false);
    for (const text of ['A 14-year-old girl has sex.', 'Hello there'])
      expect(await moderator.check(text, MESSAGE)).toEqual(moderator.checkRules(text, MESSAGE));
  });

  test('a slow failure pauses the model for half a minute except where that would be a risk', async () => {
    let now = 0;
    const ask = vi.fn(async () => {
      now += 4000;
      return 'failed' as const;
    });
    const moderator = createModerator(ask, () => now);
    for (let times = 0; times < 20; times += 1)
      expect(await moderator.check('Hello', REPLY)).toEqual({ ok: true, crisis: null });
    expect(await moderator.check('A 14-year-old girl has sex.', REPLY)).toMatchObject({ rule: 'minors' });
    expect(ask).toHaveBeenCalledTimes(1);
    for (const about of [PUBLISHED, SPICY, MESSAGE_SPICY, REPLY_SPICY])
      expect(await moderator.check('Hello', about)).toMatchObject({ rule: 'unavailable' });
    expect(ask).toHaveBeenCalledTimes(5);
    now += MODERATOR_COOLDOWN_MS - 1;
    await moderator.check('Hello', MESSAGE);
    expect(ask).toHaveBeenCalledTimes(5);
    now += 1;
    await moderator.check('Hello', MESSAGE);
    expect(ask).toHaveBeenCalledTimes(6);
  });

  test('a model is asked again at once after a quick failure or an aborted call', async () => {
    let now = 0;
    const quick = vi.fn(async () => 'failed' as const);
    const moderator = createModerator(quick, () => now);
    await moderator.check('Hello', MESSAGE);
    await moderator.check('Hello', MESSAGE);
    expect(quick).toHaveBeenCalledTimes(2);
    const left = vi.fn(async () => {
      now += 3000;
      return 'failed' as const;
    });
    const stopped = createModerator(left, () => now);
    await stopped.check('Hello', REPLY, AbortSignal.abort());
    await stopped.check('Hello', REPLY);
    expect(left).toHaveBeenCalledTimes(2);
  });

  test('a text refused by the rules is not sent to the model', async () => {
    const ask = vi.fn(async () => ({ concerns: [] }));
    const verdict = await createModerator(ask).check('A 14-year-old girl has sex.', MESSAGE);
    expect(verdict.ok).toBe(false);
    expect(ask).not.toHaveBeenCalled();
  });
});

describe('Moderation model', () => {
  let server: ModerationServer;
  beforeAll(async () => {
    server = await startModerationServer();
  });
  afterAll(() => server.close());
  const at = (more: Partial<ModerationSettings> = {}): ModerationSettings => ({
    kind: 'openai',
    baseUrl: server.url,
    apiKey: 'key-of-moderation',
    ...more,
  });
  const listRequests = async (word: string) =>
    (await (await fetch(`${server.url}/control/texts?with=${word}`)).json()) as {
      text: string;
      path: string;
      authorization: string | null;
    }[];

  test('an OpenAI moderation model is asked with the key, and its categories become concerns', async () => {
    const text = 'alpha [[finds:sexual/minors]] [[finds:self-harm/intent]] [[finds:harassment]]';
    expect(await moderateText(at(), text)).toEqual({ concerns: ['minors', 'suicide'] });
    expect(await listRequests('alpha')).toEqual([
      { text, path: '/v1/moderations', authorization: 'Bearer key-of-moderation' },
    ]);
  });

  test('a Llama Guard model is asked by chat completion, and its hazards become concerns', async () => {
    const guard = at({ kind: 'llama-guard', apiKey: undefined, model: 'llama-guard3' });
    expect(await moderateText(guard, 'beta')).toEqual({ concerns: [] });
    expect(await moderateText(guard, 'beta [[finds:S4]] [[finds:S1]] [[finds:S10]]')).toEqual({
      concerns: ['minors', 'hate'],
    });
    expect((await listRequests('beta'))[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: null,
    });
  });

  test('a text that Llama Guard calls unsafe only for a hazard without a rule passes', async () => {
    const guard = at({ kind: 'llama-guard' });
    expect(await moderateText(guard, '[[finds:S6]]')).toEqual({ concerns: [] });
  });

  test('Llama Guard hazards are read in several spellings, and an answer without a known one has failed', async () => {
    const moderate = async (content: string) => {
      const answer = JSON.stringify({ choices: [{ message: { content } }] });
      const fetcher = (async () => new Response(answer)) as typeof fetch;
      return moderateText(at({ kind: 'llama-guard' }), 'kappa', undefined, fetcher);
    };
    for (const content of [
      'unsafe\nS4',
      'UNSAFE S04',
      'unsafe\n s4',
      'unsafe: S 4',
      'unsafe\nＳ４',
      'unsafe\nS4: Child',
    ])
      expect([content, await moderate(content)]).toEqual([content, { concerns: ['minors'] }]);
    expect(await moderate('unsafe\n S4,S11')).toEqual({ concerns: ['minors', 'self_harm'] });
    for (const content of ['safe', ' safe ', 'Safe.', 'unsafe\nS1', 'unsafe\nS2,S14'])
      expect([content, await moderate(content)]).toEqual([content, { concerns: [] }]);
    const odd = [
      'unsafe',
      'unsafe\ncategory: Child Sexual Exploitation',
      'unsafe\nS99',
      'unsafe\nS0',
      'unsafe S411',
      'safe\nS4',
      'safe or unsafe',
      'unsafely',
    ];
    for (const content of odd) expect([content, await moderate(content)]).toEqual([content, 'failed']);
  });

  test('an OpenAI answer that is flagged without a category has failed', async () => {
    const moderate = async (results: object[]) => {
      const fetcher = (async () => new Response(JSON.stringify({ results }))) as typeof fetch;
      return moderateText(at(), 'lambda', undefined, fetcher);
    };
    expect(await moderate([{ flagged: true, categories: { sexual: false } }])).toBe('failed');
    expect(await moderate([{ flagged: false, categories: {} }])).toBe('failed');
    expect(await moderate([{ flagged: true, categories: { harassment: true } }])).toEqual({ concerns: [] });
    expect(await moderate([{ flagged: false, categories: { sexual: false } }])).toEqual({ concerns: [] });
  });

  test('a long text is sent in overlapping pieces, and each of them counts', async () => {
    const text = `${'gamma '.repeat(6000)}[[finds:hate]]`;
    expect(await moderateText(at(), text)).toEqual({ concerns: ['hate'] });
    const pieces = await listRequests('gamma');
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBe(MODERATION_LIMITS.pieceChars);
  });

  test('a failing moderation model is asked once more, and not at all after a refused key', async () => {
    expect(await moderateText(at(), 'delta [[status:500]]')).toBe('failed');
    expect(await listRequests('delta')).toHaveLength(2);
    expect(await moderateText(at(), 'epsilon [[status:401]]')).toBe('failed');
    expect(await listRequests('epsilon')).toHaveLength(1);
  });

  test('an unexpected answer, a redirect or no connection counts as failed', async () => {
    expect(await moderateText(at(), '[[odd]]')).toBe('failed');
    expect(await moderateText(at({ kind: 'llama-guard' }), '[[odd]]')).toBe('failed');
    expect(await moderateText(at(), '[[status:302]]')).toBe('failed');
    expect(await moderateText(at({ baseUrl: 'http://127.0.0.1:1/v1' }), 'zeta')).toBe('failed');
  });

  test('an aborted moderation call is neither awaited nor repeated', async () => {
    const stop = new AbortController();
    const answer = moderateText(at(), 'iota [[hangs]]', stop.signal);
    await vi.waitFor(async () => expect(await listRequests('iota')).toHaveLength(1));
    stop.abort();
    expect(await answer).toBe('failed');
    expect(await listRequests('iota')).toHaveLength(1);
  });

  test('a failed moderation call logs neither the text nor the key', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await moderateText(at(), 'theta is a secret [[status:500]]');
    await moderateText(at({ baseUrl: 'http://127.0.0.1:1/v1' }), 'theta is a secret');
    const lines = logged.mock.calls.map((call) => call.join(' '));
    logged.mockRestore();
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toContain('moderation_failed');
      expect(line).not.toMatch(/theta|secret|key-of/);
    }
  });
});
