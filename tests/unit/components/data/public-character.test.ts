import { expect, test } from 'vitest';
import { presentCharacter } from '../../../../src/components/data/public-character.ts';

test('every text of a presented character is limited to its lines', () => {
  const hostile = `\u202EZ${'\u0301'.repeat(200)}`;
  const presented = presentCharacter(
    {
      name: hostile,
      oneliner: `{{char}} ${hostile}`,
      summary: hostile,
      first_message: hostile,
      suggested_replies: [hostile],
    },
    'you',
  );
  expect(JSON.stringify(presented)).not.toMatch(/\u202E|\p{M}{6}/u);
});

test('the macros of a presented character are replaced by its name and by "you"', () => {
  const presented = presentCharacter(
    {
      name: 'Mira',
      oneliner: '{{char}} keeps a lamp lit for {{user}}',
      summary: 'Ask {{CHAR}} about the harbour.',
      first_message: '*{{char}} looks at {{user}}.*',
      suggested_replies: ['Who are you, {{char}}?', 'Good evening to {{User}} too'],
    },
    'you',
  );
  expect(presented).toEqual({
    name: 'Mira',
    oneliner: 'Mira keeps a lamp lit for you',
    summary: 'Ask Mira about the harbour.',
    first_message: '*Mira looks at you.*',
    suggested_replies: ['Who are you, Mira?', 'Good evening to you too'],
  });
});
