import { mapParts } from '../../../src/features/character/definition-parts.ts';
import { randomUUID } from 'node:crypto';
import type { APIResponse, Browser, Page } from '@playwright/test';
import { makeCharacter, signInAsCreator } from '../../e2e/creator-setup.ts';
import { expect } from '../../e2e/journey.ts';
import { buildFieldText } from '../written-texts.ts';

/** Expects that all these requests succeeded. */
export async function expectTaken(...answers: APIResponse[]): Promise<void> {
  for (const answer of answers)
    expect({ url: answer.url(), text: answer.ok() ? '' : await answer.text() }).toMatchObject({ text: '' });
}

/** Opens a page in a browser context of its own. */
export async function somebodyElse(browser: Browser, baseURL: string, userAgent?: string): Promise<Page> {
  return (await browser.newContext({ baseURL, ...(userAgent === undefined ? {} : { userAgent }) })).newPage();
}

/** Creates a user with payload texts in every field that can be written. */
export async function writer(page: Page, baseURL: string) {
  const maker = await signInAsCreator(page, baseURL);
  const mark = randomUUID().slice(0, 8);
  await expectTaken(
    await page.request.patch('/api/account', {
      data: { nickname: buildFieldText('patch /api/account .nickname') },
    }),
  );
  const character = await makeCharacter(page, {
    name: `${mark} ${buildFieldText('post /api/characters .name', 40)}`,
    oneliner: buildFieldText('post /api/characters .oneliner', 50),
    character_traits: buildFieldText('post /api/characters .character_traits', 1000),
    first_message: `${mark} ${buildFieldText('post /api/characters .first_message', 1900)}`,
    about: buildFieldText('post /api/characters .about', 5000),
    nickname: buildFieldText('post /api/characters .nickname', 50),
    suggested_replies: [
      buildFieldText('post /api/characters .suggested_replies[]', 60),
      '"><img src=x onerror=ran(1)>',
    ],
    alternate_greetings: [buildFieldText('post /api/characters .alternate_greetings[]', 2000)],
    definition: mapParts((part) => ({
      text: buildFieldText(`post /api/characters .definition.${part}.text`, 2000),
    })),
    recommended_style: {
      author_note: buildFieldText('post /api/characters .recommended_style.author_note', 2000),
    },
    tags: ['fantasy'],
    free_tags: [buildFieldText('post /api/characters .free_tags[]')],
  });
  const started = await page.request.post('/api/conversations', { data: { character_id: character.id } });
  await expectTaken(started);
  const { conversation } = (await started.json()) as { conversation: { id: string } };
  const conversationPath = `/api/conversations/${conversation.id}`;
  const messageText = buildFieldText('post /api/conversations/{id}/messages .content', 2000);
  await expectTaken(
    await page.request.patch(conversationPath, {
      data: { title: `${mark} ${buildFieldText('patch /api/conversations/{id} .title', 90)}` },
    }),
    await page.request.post('/api/personas', {
      data: {
        name: buildFieldText('post /api/personas .name', 50),
        description: buildFieldText('post /api/personas .description', 1000),
        is_default: true,
      },
    }),
    await page.request.put(`/api/characters/${character.id}/lorebook`, {
      data: {
        book: {
          name: buildFieldText('a lorebook’s name', 90),
          entries: [
            {
              keys: [buildFieldText('a lorebook’s key', 50)],
              content: buildFieldText('a lorebook’s text', 2000),
              enabled: true,
              insertion_order: 1,
            },
          ],
        },
      },
    }),
    await page.request.post(`${conversationPath}/messages`, {
      data: {
        content: `${mark} [[scenario:echo]] ${messageText}`,
        client_message_id: `turn-${randomUUID()}`,
      },
    }),
    await page.request.put(`${conversationPath}/memory`, {
      data: { summary: buildFieldText('put /api/conversations/{id}/memory .summary', 1000) },
    }),
    // An entry in addition to the one that the summary became.
    await page.request.put(`${conversationPath}/memory`, {
      data: {
        entries: [{ text: buildFieldText('put /api/conversations/{id}/memory .entries[].text', 200) }],
        known: [],
      },
    }),
    await page.request.post('/api/feedback', {
      data: { message: buildFieldText('post /api/feedback .message', 1900) },
    }),
  );
  return { maker, character, conversation: conversation.id, mark };
}
