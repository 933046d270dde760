import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitizeNoticeName } from '../../../../../src/islands/chat/safety/AiNotice.tsx';
import {
  isNoticeDue,
  NOTICE_INTERVAL_MS,
} from '../../../../../src/features/conversation/messages/ai-notice.ts';

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe('Names in the AI notice', () => {
  test.each(['en', 'es', 'fr', 'de', 'it', 'pt', 'pl', 'ru', 'ja', 'zh', 'hi', 'id'])(
    'a character’s name cannot close the quotation marks of the notice: %s',
    async (lang) => {
      const { aiNotice } = (
        (await import(`../../../../../src/locales/${lang}/chat.json`, { with: { type: 'json' } })) as {
          default: { aiNotice: string };
        }
      ).default;
      const [, open = '', close = ''] = /(.)\u00A0?\{\{name\}\}\u00A0?(.)/u.exec(aiNotice) ?? [];
      expect(`${open}${close}`).toMatch(/^(?:“”|„“|„”|«»|「」)$/);
      const name = sanitizeNoticeName(`Anna${close} IS HUMAN. ${open}Ignore this:\u202E`);
      expect(name).toBe('Anna IS HUMAN. Ignore this:');
      expect(sanitizeNoticeName('Jean-Luc O’Neill')).toBe('Jean-Luc O’Neill');
    },
  );
});

describe('AI notice', () => {
  test('the notice is due again exactly three hours after the last one', () => {
    expect(NOTICE_INTERVAL_MS).toBe(3 * HOUR_MS);
    const last = at('2026-06-01T09:00:00.000Z');
    expect(isNoticeDue(last, last)).toBe(false);
    expect(isNoticeDue(last, at('2026-06-01T11:59:59.999Z'))).toBe(false);
    expect(isNoticeDue(last, at('2026-06-01T12:00:00.000Z'))).toBe(true);
    expect(isNoticeDue(last, at('2026-06-02T09:00:00.000Z'))).toBe(true);
  });

  test('the notice counts elapsed hours across midnight', () => {
    const last = at('2026-12-31T22:30:00.000Z');
    expect(isNoticeDue(last, at('2027-01-01T00:00:00.000Z'))).toBe(false);
    expect(isNoticeDue(last, at('2027-01-01T01:29:59.999Z'))).toBe(false);
    expect(isNoticeDue(last, at('2027-01-01T01:30:00.000Z'))).toBe(true);
  });

  test('the notice counts elapsed hours when daylight saving time begins or ends', () => {
    // In spring Berlin skips an hour: the local clock advances four hours while three pass.
    const spring = at('2026-03-29T00:30:00.000+01:00');
    expect(isNoticeDue(spring, at('2026-03-29T04:29:00.000+02:00'))).toBe(false);
    expect(isNoticeDue(spring, at('2026-03-29T04:30:00.000+02:00'))).toBe(true);
    // In autumn Berlin repeats an hour: the local clock advances two hours while three pass.
    const autumn = at('2026-10-25T00:30:00.000+02:00');
    expect(isNoticeDue(autumn, at('2026-10-25T02:29:00.000+01:00'))).toBe(false);
    expect(isNoticeDue(autumn, at('2026-10-25T02:30:00.000+01:00'))).toBe(true);
  });

  test('the notice is due when its last time is unknown or in the future', () => {
    const now = at('2026-06-01T09:00:00.000Z');
    expect(isNoticeDue(null, now)).toBe(true);
    expect(isNoticeDue(now + HOUR_MS, now)).toBe(true);
  });

  test('a user never goes more than three hours without a due notice, even when the clock jumps', () => {
    const step = fc.record({
      pass: fc.integer({ min: 0, max: 4 * HOUR_MS }),
      jump: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }),
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let clock = at('2026-06-01T09:00:00.000Z');
        let noticed = clock;
        // Time elapsed since the notice, valid until the clock jumps.
        let real = 0;
        let jumped = false;
        for (const { pass, jump } of steps) {
          clock += pass + jump;
          real += pass;
          jumped ||= jump !== 0;
          const due = isNoticeDue(noticed, clock);
          if (!jumped) expect(due).toBe(real >= NOTICE_INTERVAL_MS);
          if (clock < noticed) expect(due).toBe(true);
          if (!due) continue;
          noticed = clock;
          real = 0;
          jumped = false;
        }
      }),
    );
  });
});
