import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  CHAT_CHOICES,
  formatChoices,
  parseChatSettings,
} from '../../../../../src/islands/chat/appearance/chat-settings.ts';

const DEFAULTS = {
  choices: {
    size: 'normal',
    width: 'normal',
    layout: 'prose',
    background: 'plain',
    portraits: 'off',
    readAloud: 'off',
  },
  voice: { rate: 1, voices: {} },
};
const CHANGED = {
  version: 1,
  choices: {
    size: 'large',
    width: 'wide',
    layout: 'bubbles',
    background: 'picture',
    portraits: 'on',
    readAloud: 'on',
  },
  voice: { rate: 1.25, voices: { en: 'Daniel' } },
};
const read = (path: string) => readFileSync(new URL(`../../../../../src/${path}`, import.meta.url), 'utf8');

/** Runs the script of the page's HTML. @returns the attribute that it sets */
function boot(stored: string | null): string | undefined {
  const document = { documentElement: { dataset: {} as Record<string, string> } };
  const localStorage = { getItem: () => stored };
  // oxlint-disable-next-line no-new-func -- the script is not a module
  new Function(
    'document',
    'localStorage',
    'addEventListener',
    read('components/scripts/chat-settings-boot.js'),
  )(document, localStorage, () => {});
  return document.documentElement.dataset['chatSettings'];
}

describe('Chat settings', () => {
  test.each([null, '', 'no JSON', 'null', '[]', '{"version":2,"choices":{"size":"large"}}', '7'])(
    'what cannot be read becomes the defaults: %s',
    (stored) => {
      expect(parseChatSettings(stored)).toEqual(DEFAULTS);
      expect(boot(stored)).toBe('');
    },
  );

  test('settings are read as they were stored', () => {
    const { choices, voice } = CHANGED;
    expect(parseChatSettings(JSON.stringify(CHANGED))).toEqual({ choices, voice });
  });

  test('damaged values become defaults, one by one', () => {
    const stored = {
      version: 1,
      choices: { ...CHANGED.choices, size: 'huge', portraits: true },
      voice: { rate: 50, voices: { en: 3, de: 'Anna' } },
    };
    expect(parseChatSettings(JSON.stringify(stored))).toEqual({
      choices: { ...CHANGED.choices, size: 'normal', portraits: 'off' },
      voice: { rate: 1, voices: { de: 'Anna' } },
    });
  });

  test('the script before the first paint sets the same attribute as the dialog', () => {
    const { choices } = parseChatSettings(JSON.stringify(CHANGED));
    expect(boot(JSON.stringify(CHANGED))).toBe(formatChoices(choices));
  });

  test('every choice other than the default has a rule in the stylesheet, and no rule is for another one', () => {
    const ruled = [...read('islands/chat/chat.css').matchAll(/data-chat-settings~='([^']*)'/g)].map(
      ([, token]) => token,
    );
    const offered = Object.entries(CHAT_CHOICES).flatMap(([name, [, ...others]]) =>
      // Reading aloud changes nothing that is seen.
      (name === 'readAloud' ? [] : others).map((choice) => `${name}-${choice}`),
    );
    expect([...new Set(ruled)].toSorted()).toEqual(offered.toSorted());
  });
});

describe('The picture behind the messages', () => {
  const [dark = '', light = ''] = read('styles/theme.css').split(":root[data-theme='light']");
  const rules = [...read('islands/chat/chat.css').matchAll(/\.chat-backdrop \{[^}]*\}/g)].map(
    ([rule]) => rule,
  );

  /** A colour of a theme, its channels between 0 and 1. */
  function getColour(theme: string, name: string): number[] {
    const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(theme)?.[1] ?? '';
    return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  }
  const getLuminance = (channels: number[]) =>
    channels
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);
  function getContrast(one: number[], other: number[]): number {
    const [low, high] = [getLuminance(one), getLuminance(other)].toSorted((a, b) => a - b);
    return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
  }
  /** What a channel of a picture becomes under the rule's filters. */
  function filter(rule: string, value: number): number {
    let result = value;
    for (const [, name, amount] of rule.matchAll(/(contrast|brightness)\((\d+(?:\.\d+)?)\)/g))
      result = name === 'contrast' ? (result - 0.5) * Number(amount) + 0.5 : result * Number(amount);
    return Math.min(Math.max(result, 0), 1);
  }

  test.each([
    ['dark', dark, rules.at(-2) ?? ''],
    ['light', light, rules.at(-1) ?? ''],
  ])('a text keeps the contrast that reading needs: %s', (_, theme, rule) => {
    const opacity = Number(/opacity: (0\.\d+)/.exec(rule)?.[1]);
    expect(opacity).toBeGreaterThan(0);
    for (const pixel of [0, 1]) {
      const behind = getColour(theme, 'bg').map(
        (value) => value * (1 - opacity) + filter(rule, pixel) * opacity,
      );
      for (const name of ['text', 'text-quiet', 'accent', 'state', 'danger'])
        expect(getContrast(getColour(theme, name), behind), `${name} on ${pixel}`).toBeGreaterThanOrEqual(
          4.5,
        );
    }
  });
});
