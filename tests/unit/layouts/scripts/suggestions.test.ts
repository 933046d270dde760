import { expect, test } from 'vitest';
import type { Suggestion } from '../../../../src/features/character/discovery/suggestion-contract.ts';
import { createTranslator } from '../../../../src/islands/shared/translator.ts';
import { describeReason } from '../../../../src/layouts/scripts/session/suggestions.ts';
import en from '../../../../src/locales/en/returning.json' with { type: 'json' };

test.each<[Suggestion['reason'], keyof typeof en, string]>([
  [
    { kind: 'tag', tag: 'rpg', because: 'liked', character: { id: 'c', name: 'Lumi' } },
    'because_liked',
    'Lumi',
  ],
  [
    { kind: 'tag', tag: 'rpg', because: 'favourite', character: { id: 'c', name: 'Lumi' } },
    'because_favourite',
    'Lumi',
  ],
  [
    { kind: 'tag', tag: 'rpg', because: 'chatted', character: { id: 'c', name: 'Lumi' } },
    'because_chatted',
    'Lumi',
  ],
  [{ kind: 'creator', character: null }, 'because_followed', 'Ana'],
  [{ kind: 'creator', character: { id: 'c', name: 'Lumi' } }, 'because_creator', 'Lumi'],
  [{ kind: 'popular', language: 'en' }, 'popularInLanguage', ''],
  [{ kind: 'popular', language: 'de' }, 'popular', ''],
  [{ kind: 'popular', language: null }, 'popular', ''],
])('the reason %j is worded with «%s» and the name «%s»', (reason, key, name) => {
  const translate = createTranslator('en', en);
  const suggestion = { character: { creator: { id: 'a', name: 'Ana' } }, reason } as Suggestion;
  expect(describeReason(suggestion, translate, 'en')).toBe(translate(key, { name }));
});
