import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type ModerationInput,
  applyRules,
  type RefusalRule,
  resolveVerdict,
} from '../../src/features/safety/moderation.ts';
import { MODERATOR_COOLDOWN_MS, createModerator } from '../../src/features/safety/moderator.ts';
import {
  MODERATION_LIMITS,
  type ModerationConcern,
  type ModerationSettings,
  moderateText,
} from '../../src/vendors/moderation.ts';
import { type ModerationServer, startModerationServer } from '../support/moderation-server.ts';

const PUBLISHED: ModerationInput = { place: 'publication', adult: false };
const SPICY: ModerationInput = { place: 'publication', adult: true };
const SAID: ModerationInput = { place: 'message', adult: false };
const SAID_SPICY: ModerationInput = { place: 'message', adult: true };
const TOLD: ModerationInput = { place: 'reply', adult: false };
const TOLD_SPICY: ModerationInput = { place: 'reply', adult: true };
const TOLD_IN_CRISIS: ModerationInput = { place: 'reply', adult: false, crisisOpen: true };
const PLACES = { PUBLISHED, SPICY, SAID, SAID_SPICY, TOLD, TOLD_SPICY, TOLD_IN_CRISIS };

const ruleFor = (concern: ModerationConcern, about: ModerationInput): RefusalRule | null => {
  const verdict = resolveVerdict({ ok: true, crisis: null }, { concerns: [concern] }, about);
  return verdict.ok ? null : verdict.rule;
};

describe('What a moderation model finds', () => {
  const TABLE: [ModerationConcern, Partial<Record<keyof typeof PLACES, RefusalRule>>][] = [
    ['minors', Object.fromEntries(Object.keys(PLACES).map((place) => [place, 'minors']))],
    ['sexual', { PUBLISHED: 'sexual', SAID: 'sexual', TOLD: 'sexual', TOLD_IN_CRISIS: 'sexual' }],
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
        TOLD: 'urging',
        TOLD_SPICY: 'urging',
        TOLD_IN_CRISIS: 'urging',
      },
    ],
    ['suicide', { TOLD_IN_CRISIS: 'urging' }],
    ['self_harm', { TOLD_IN_CRISIS: 'urging' }],
  ];

  test.each(TABLE)('%s is refused in these places and nowhere else', (concern, refused) => {
    const rules = Object.entries(PLACES).map(([place, about]) => [place, ruleFor(concern, about)]);
    expect(rules).toEqual(
      Object.keys(PLACES).map((place) => [place, refused[place as keyof typeof PLACES] ?? null]),
    );
  });

  test('the gravest of several reasons is told', () => {
    const verdict = resolveVerdict(
      { ok: true, crisis: null },
      { concerns: ['sexual', 'minors', 'weapons'] },
      SAID,
    );
    expect(verdict).toEqual({ ok: false, rule: 'minors', crisis: null });
  });

  test('that somebody needs help is told for what people write, and refuses nothing', () => {
    const answered = { concerns: ['self_harm'] as const };
    expect(resolveVerdict({ ok: true, crisis: null }, answered, SAID)).toEqual({
      ok: true,
      crisis: 'self_harm',
    });
    expect(resolveVerdict({ ok: true, crisis: null }, answered, TOLD)).toEqual({ ok: true, crisis: null });
    expect(resolveVerdict({ ok: true, crisis: 'suicide' }, { concerns: [] }, SAID)).toEqual({
      ok: true,
      crisis: 'suicide',
    });
  });

  test('takes nothing back that the rules found', () => {
    const rules = { ok: false, rule: 'minors', crisis: null } as const;
    expect(resolveVerdict(rules, { concerns: [] }, SPICY)).toEqual(rules);
    expect(resolveVerdict(rules, 'failed', SPICY)).toEqual(rules);
  });
});

describe('When the moderation model is down', () => {
  const fine = { ok: true, crisis: null } as const;
  const closed = { ok: false, rule: 'unavailable', crisis: null };

  test('nothing is published, and nothing for adults goes by unseen', () => {
    for (const about of [PUBLISHED, SPICY, SAID_SPICY, TOLD_SPICY])
      expect(resolveVerdict(fine, 'failed', about)).toEqual(closed);
  });

  test('a plain chat goes on with the rules alone', () => {
    for (const about of [SAID, TOLD]) expect(resolveVerdict(fine, 'failed', about)).toEqual(fine);
  });

  test('who needs help is still shown where it is', () => {
    const needed = { ok: true, crisis: 'suicide' } as const;
    expect(resolveVerdict(needed, 'failed', SAID)).toEqual(needed);
    expect(resolveVerdict(needed, 'failed', SAID_SPICY)).toEqual({ ...closed, crisis: 'suicide' });
  });
});

describe('The rules alone', () => {
  test('refuse sexual content with minors everywhere, spicy mode or not', () => {
    for (const about of Object.values(PLACES))
      expect(applyRules('A 14-year-old girl has sex.', about)).toMatchObject({ ok: false, rule: 'minors' });
  });

  test('leave a story for adults to adults', () => {
    for (const about of Object.values(PLACES))
      expect(applyRules('They are both 34 and have sex.', about)).toEqual({ ok: true, crisis: null });
  });

  test('see a crisis in what people write, and none in what characters say', () => {
    expect(applyRules('I want to kill myself', SAID).crisis).toBe('suicide');
    expect(applyRules('I want to kill myself', TOLD).crisis).toBeNull();
    expect(applyRules('I want to kill myself', PUBLISHED).crisis).toBeNull();
  });

  test('refuse what is published to urge its reader to die, and a character that is made for it', () => {
    const refused = { ok: false, rule: 'urging' };
    for (const text of [
      'She encourages {{user}} to kill themself.',
      'Kill yourself tonight, my love. Everyone would be better off without you.',
      'Er treibt {{user}} in den Selbstmord.',
      '她怂恿用户自杀。',
    ]) {
      for (const about of [PUBLISHED, SPICY])
        expect([text, applyRules(text, about)]).toMatchObject([text, refused]);
      // A person who writes it in a chat may need help, or plays a villain.
      expect(applyRules(text, SAID).ok).toBe(true);
    }
    for (const text of [
      'Her brother took his own life, and she talks with {{user}} about grief.',
      'She encourages {{user}} to talk about suicidal thoughts and to seek help.',
      'A knight who helps {{user}} to kill the dragon.',
      'He convinces {{user}} not to kill themself.',
    ])
      expect([text, applyRules(text, PUBLISHED).ok]).toEqual([text, true]);
    expect(applyRules('Kill yourself.', { ...PUBLISHED, letBy: new Set(['urging']) }).ok).toBe(true);
  });

  test('ask nobody, and are enough where no model is configured', async () => {
    const moderator = createModerator(null);
    expect(moderator.hasModel).toBe(false);
    for (const text of ['A 14-year-old girl has sex.', 'Hello there'])
      expect(await moderator.check(text, SAID)).toEqual(moderator.checkRules(text, SAID));
  });

  test('go on alone for half a minute where a model kept somebody waiting and did not answer, but not where that would be a risk', async () => {
    let now = 0;
    const ask = vi.fn(async () => {
      now += 4000;
      return 'failed' as const;
    });
    const moderator = createModerator(ask, () => now);
    for (let times = 0; times < 20; times += 1)
      expect(await moderator.check('Hello', TOLD)).toEqual({ ok: true, crisis: null });
    expect(await moderator.check('A 14-year-old girl has sex.', TOLD)).toMatchObject({ rule: 'minors' });
    expect(ask).toHaveBeenCalledTimes(1);
    for (const about of [PUBLISHED, SPICY, SAID_SPICY, TOLD_SPICY])
      expect(await moderator.check('Hello', about)).toMatchObject({ rule: 'unavailable' });
    expect(ask).toHaveBeenCalledTimes(5);
    now += MODERATOR_COOLDOWN_MS - 1;
    await moderator.check('Hello', SAID);
    expect(ask).toHaveBeenCalledTimes(5);
    now += 1;
    await moderator.check('Hello', SAID);
    expect(ask).toHaveBeenCalledTimes(6);
  });

  test('ask again at once a model that failed at once, and one whose answer nobody waited for', async () => {
    let now = 0;
    const quick = vi.fn(async () => 'failed' as const);
    const moderator = createModerator(quick, () => now);
    await moderator.check('Hello', SAID);
    await moderator.check('Hello', SAID);
    expect(quick).toHaveBeenCalledTimes(2);
    const left = vi.fn(async () => {
      now += 3000;
      return 'failed' as const;
    });
    const stopped = createModerator(left, () => now);
    await stopped.check('Hello', TOLD, AbortSignal.abort());
    await stopped.check('Hello', TOLD);
    expect(left).toHaveBeenCalledTimes(2);
  });

  test('refuse without a model being asked', async () => {
    const ask = vi.fn(async () => ({ concerns: [] }));
    const verdict = await createModerator(ask).check('A 14-year-old girl has sex.', SAID);
    expect(verdict.ok).toBe(false);
    expect(ask).not.toHaveBeenCalled();
  });
});

describe('A moderation model', () => {
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
  const asked = async (word: string) =>
    (await (await fetch(`${server.url}/control/texts?with=${word}`)).json()) as {
      text: string;
      path: string;
      authorization: string | null;
    }[];

  test('of OpenAI’s kind is asked with the key, and its categories become concerns', async () => {
    const text = 'alpha [[finds:sexual/minors]] [[finds:self-harm/intent]] [[finds:harassment]]';
    expect(await moderateText(at(), text)).toEqual({ concerns: ['minors', 'suicide'] });
    expect(await asked('alpha')).toEqual([
      { text, path: '/v1/moderations', authorization: 'Bearer key-of-moderation' },
    ]);
  });

  test('of Llama Guard’s kind is asked by a chat, and its hazards become concerns', async () => {
    const guard = at({ kind: 'llama-guard', apiKey: undefined, model: 'llama-guard3' });
    expect(await moderateText(guard, 'beta')).toEqual({ concerns: [] });
    expect(await moderateText(guard, 'beta [[finds:S4]] [[finds:S1]] [[finds:S10]]')).toEqual({
      concerns: ['minors', 'hate'],
    });
    expect((await asked('beta'))[0]).toMatchObject({ path: '/v1/chat/completions', authorization: null });
  });

  test('of Llama Guard that calls a text unsafe for a hazard of its own only passes it', async () => {
    const guard = at({ kind: 'llama-guard' });
    expect(await moderateText(guard, '[[finds:S6]]')).toEqual({ concerns: [] });
  });

  test('of Llama Guard’s kind may write its hazards in other ways, and has failed where it names none that is known', async () => {
    const said = async (content: string) => {
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
      expect([content, await said(content)]).toEqual([content, { concerns: ['minors'] }]);
    expect(await said('unsafe\n S4,S11')).toEqual({ concerns: ['minors', 'self_harm'] });
    for (const content of ['safe', ' safe ', 'Safe.', 'unsafe\nS1', 'unsafe\nS2,S14'])
      expect([content, await said(content)]).toEqual([content, { concerns: [] }]);
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
    for (const content of odd) expect([content, await said(content)]).toEqual([content, 'failed']);
  });

  test('of OpenAI’s kind has failed where it says that it found something, and not what', async () => {
    const said = async (results: object[]) => {
      const fetcher = (async () => new Response(JSON.stringify({ results }))) as typeof fetch;
      return moderateText(at(), 'lambda', undefined, fetcher);
    };
    expect(await said([{ flagged: true, categories: { sexual: false } }])).toBe('failed');
    expect(await said([{ flagged: false, categories: {} }])).toBe('failed');
    expect(await said([{ flagged: true, categories: { harassment: true } }])).toEqual({ concerns: [] });
    expect(await said([{ flagged: false, categories: { sexual: false } }])).toEqual({ concerns: [] });
  });

  test('is shown a long text in pieces that overlap, and each of them counts', async () => {
    const text = `${'gamma '.repeat(6000)}[[finds:hate]]`;
    expect(await moderateText(at(), text)).toEqual({ concerns: ['hate'] });
    const pieces = await asked('gamma');
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBe(MODERATION_LIMITS.pieceChars);
  });

  test('that has a bad moment is asked once more, and no oftener', async () => {
    expect(await moderateText(at(), 'delta [[status:500]]')).toBe('failed');
    expect(await asked('delta')).toHaveLength(2);
    expect(await moderateText(at(), 'epsilon [[status:401]]')).toBe('failed');
    expect(await asked('epsilon')).toHaveLength(1);
  });

  test('that answers something else, a redirect or nothing has failed', async () => {
    expect(await moderateText(at(), '[[odd]]')).toBe('failed');
    expect(await moderateText(at({ kind: 'llama-guard' }), '[[odd]]')).toBe('failed');
    expect(await moderateText(at(), '[[status:302]]')).toBe('failed');
    expect(await moderateText(at({ baseUrl: 'http://127.0.0.1:1/v1' }), 'zeta')).toBe('failed');
  });

  test('that hangs is not waited for when nobody wants the answer any more', async () => {
    const stop = new AbortController();
    const answer = moderateText(at(), 'iota [[hangs]]', stop.signal);
    await vi.waitFor(async () => expect(await asked('iota')).toHaveLength(1));
    stop.abort();
    expect(await answer).toBe('failed');
    expect(await asked('iota')).toHaveLength(1);
  });

  test('that fails leaves no word of the text, and no key, in the log', async () => {
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
