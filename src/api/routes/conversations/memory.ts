import { type Context, Hono } from 'hono';
import { message, thinking } from '../../../features/conversation/contract.ts';
import {
  type ChangeMemoryBody,
  changeMemoryBody,
  contextRecord,
  memoryView,
} from '../../../features/conversation/memory/memory-contract.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { requireConversation, unwrapResult } from '../../middleware/conversation-access.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { checkTexts, buildInputTexts } from '../../../services/moderate-input.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { throwRefused } from '../../middleware/problems.ts';

/** Moderates memory notes: the model takes them as facts. */
async function assertNotesAllowed(
  c: Context<ApiEnv>,
  userId: string,
  { summary, entries = [] }: ChangeMemoryBody,
): Promise<void> {
  const notes = entries.map(({ text }) => ({ field: 'entries', text }));
  const whole = summary === undefined ? [] : [{ field: 'summary', text: summary }];
  const written = buildInputTexts('note', [...notes, ...whole]);
  const about = { place: 'message', adult: false, seen: 'self' } as const;
  throwRefused(await checkTexts(toServiceContext(c), userId, written, about));
}

/** Memory, pinned messages, and the recorded prompts and thinking of a conversation. */
export const memory = new Hono<ApiEnv>()
  .get(
    '/:id/memory',
    describeResponses('Get the memory of a conversation', { 200: memoryView }),
    async (c) => {
      const { user, conversation } = await requireConversation(c);
      return c.json(unwrapResult(await conversation.getMemory(user.id)).memory);
    },
  )
  .put(
    '/:id/memory',
    describeResponses('Update the memory of a conversation, as one text or as a list of entries', {
      200: memoryView,
    }),
    validateRequest('json', changeMemoryBody),
    async (c) => {
      const { user, conversation, tab } = await requireConversation(c);
      const change = c.req.valid('json');
      await assertNotesAllowed(c, user.id, change);
      return c.json(unwrapResult(await conversation.changeMemory(user.id, change, tab)).memory);
    },
  )
  .get(
    '/:id/messages/:mid/context',
    describeResponses('Get the prompt that a reply was generated from', { 200: contextRecord }),
    async (c) => {
      const { user, conversation } = await requireConversation(c);
      return c.json(unwrapResult(await conversation.getPromptContext(user.id, c.req.param('mid'))).context);
    },
  )
  .get(
    '/:id/messages/:mid/thinking',
    describeResponses('Get what the model thought before it wrote a reply', { 200: thinking }),
    async (c) => {
      const { user, conversation } = await requireConversation(c);
      return c.json(unwrapResult(await conversation.getThinking(user.id, c.req.param('mid'))).thinking);
    },
  )
  .put(
    '/:id/messages/:mid/pin',
    describeResponses('Pin a message, so that the prompt always includes it', { 200: message }),
    async (c) => {
      const { user, conversation, tab } = await requireConversation(c);
      return c.json(unwrapResult(await conversation.pin(user.id, c.req.param('mid'), true, tab)).message);
    },
  )
  .delete('/:id/messages/:mid/pin', describeResponses('Unpin a message', { 200: message }), async (c) => {
    const { user, conversation, tab } = await requireConversation(c);
    return c.json(unwrapResult(await conversation.pin(user.id, c.req.param('mid'), false, tab)).message);
  });
