import { expect, test } from 'vitest';
import { createOwnCharacter } from '../../../../support/character-actions.ts';
import { createAccount, createTurnId } from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

test('a test chat of a saved character begins with the persona that belongs to it', async () => {
  const me = await createAccount();
  const character = {
    name: 'Wren',
    oneliner: 'Maps coasts',
    character_traits: 'Curious. {{user}} is her only friend.',
    model_type: 'roleplay' as const,
  };
  const { id } = await createOwnCharacter(me, character);
  const personas = [
    { name: 'Captain', is_default: true },
    { name: 'Mate', character_id: id },
  ];
  for (const persona of personas)
    await me.ask('/api/personas', { json: { description: 'Sails.', ...persona }, status: 201 });

  const { marker, requests } = createScene('tokens n=1 ms=0');
  const messages = [{ role: 'user', content: `Hello. ${marker}` }];
  for (const saved of [{}, { character_id: id }]) {
    const answer = await me.call('/api/characters/test-chat', {
      json: { turn_id: createTurnId(), character, messages, ...saved },
    });
    // The model is asked before the reply ends.
    await answer.text();
  }
  const prompts = (await requests()).map(({ body }) => JSON.stringify(body));
  expect(prompts[0]).toContain('Captain is her only friend.');
  expect(prompts[1]).toContain('Mate is her only friend.');
});
