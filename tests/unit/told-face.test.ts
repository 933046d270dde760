import { expect, test } from 'vitest';
import { presentCharacter } from '../../src/components/data/public-character.ts';

test('what a character’s page tells stays in its lines, whoever wrote it', () => {
  const hostile = `\u202EZ${'\u0301'.repeat(200)}`;
  const face = presentCharacter(
    {
      name: hostile,
      oneliner: `{{char}} ${hostile}`,
      summary: hostile,
      first_message: hostile,
      suggested_replies: [hostile],
    },
    'you',
  );
  expect(JSON.stringify(face)).not.toMatch(/\u202E|\p{M}{6}/u);
});

test('a character’s page calls me by no name, and shows no sign of where a name would stand', () => {
  const face = presentCharacter(
    {
      name: 'Mira',
      oneliner: '{{char}} keeps a lamp lit for {{user}}',
      summary: 'Ask {{CHAR}} about the harbour.',
      first_message: '*{{char}} looks at {{user}}.*',
      suggested_replies: ['Who are you, {{char}}?', 'Good evening to {{User}} too'],
    },
    'you',
  );
  expect(face).toEqual({
    name: 'Mira',
    oneliner: 'Mira keeps a lamp lit for you',
    summary: 'Ask Mira about the harbour.',
    first_message: '*Mira looks at you.*',
    suggested_replies: ['Who are you, Mira?', 'Good evening to you too'],
  });
});
