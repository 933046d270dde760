import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { conversationFiles } from '../routes/conversations/conversation-files.ts';
import { conversations, live, chats } from '../routes/conversations/conversations.ts';
import { memory } from '../routes/conversations/memory.ts';
import { messages } from '../routes/conversations/messages.ts';
import { models } from '../routes/conversations/models.ts';
import { replySettings } from '../routes/conversations/reply-settings.ts';
import { replyStyles } from '../routes/conversations/reply-styles.ts';
import { search } from '../routes/conversations/search.ts';
import { messageReports } from '../routes/site/reports.ts';

/** Routes for conversations and what a reply needs. */
export const conversationsRoutes = new Hono<ApiEnv>()
  // Before `/conversations/:id`, which would match this path as an id.
  .route('/conversations/search', search)
  .route('/conversations', conversationFiles)
  .route('/conversations', conversations)
  .route('/conversations', messages)
  .route('/conversations', messageReports)
  .route('/conversations', memory)
  .route('/conversations', replySettings)
  .route('/conversations', live)
  .route('/chats', chats)
  .route('/models', models)
  .route('/reply-styles', replyStyles);
