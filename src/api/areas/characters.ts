import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { cards } from '../routes/characters/cards.ts';
import { characters } from '../routes/characters/characters.ts';
import { creators } from '../routes/characters/creators.ts';
import { personas } from '../routes/characters/personas.ts';
import { uploads } from '../routes/characters/uploads.ts';
import { testChat } from '../routes/conversations/test-chat.ts';
import { reports, creatorReports } from '../routes/site/reports.ts';

/** Routes for characters, creators, personas and pictures. */
export const charactersRoutes = new Hono<ApiEnv>()
  // Before `/characters/:id`, which would match these paths as ids.
  .route('/characters', cards)
  .route('/characters', testChat)
  .route('/characters', characters)
  .route('/characters', reports)
  .route('/creators', creators)
  .route('/creators', creatorReports)
  .route('/personas', personas)
  .route('/uploads', uploads);
