import { Hono } from 'hono';
import {
  characterList,
  savedListsQuery,
  favouriteState,
  followedCreatorList,
  followState,
  likeState,
  hiddenList,
  newsList,
  tag as knownTag,
} from '../../../features/character/contract.ts';
import {
  addFavourite,
  listFavouriteCharacters,
  isFavourite,
  removeFavourite,
} from '../../../features/character/favourite-store.ts';
import { addLike, getLikeState, removeLike } from '../../../features/character/like-store.ts';
import {
  addFollow,
  listFollowedCharacters,
  listFollowedCreators,
  isFollowing,
  removeFollow,
} from '../../../features/character/follow-store.ts';
import { getHiddenList, addHiddenItem, removeHiddenItem } from '../../../features/character/hidden-store.ts';
import { listNews } from '../../../features/character/news-store.ts';
import { toViewer } from './characters.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/**
 * Favourites, likes, followed creators and hidden items. Removing an entry always succeeds, in any state of its target, and the
 * response reveals nothing about the target.
 */
export const savedListRoutes = new Hono<ApiEnv>()
  .get(
    '/favourites',
    describeResponses('List the user’s favourites, newest first', { 200: characterList }),
    validateRequest('query', savedListsQuery),
    async (c) => {
      const caller = await requireAccount(c);
      const input = { userId: caller.user.id, viewer: toViewer(caller), ...c.req.valid('query') };
      return c.json(await listFavouriteCharacters(c.get('db'), input));
    },
  )
  .get(
    '/favourites/:character_id',
    describeResponses('Check whether a character is one of the user’s favourites', { 200: favouriteState }),
    async (c) => {
      const { user } = await requireAccount(c);
      const which = { userId: user.id, characterId: c.req.param('character_id') };
      return c.json({ favourite: await isFavourite(c.get('db'), which) });
    },
  )
  .put(
    '/favourites/:character_id',
    describeResponses('Add a character to the user’s favourites', { 204: null }),
    async (c) => {
      const caller = await requireAccount(c);
      const which = { userId: caller.user.id, characterId: c.req.param('character_id') };
      const done = await addFavourite(c.get('db'), { ...which, viewer: toViewer(caller), now: Date.now() });
      if (done !== 'kept') throw new Problem(done);
      return c.body(null, 204);
    },
  )
  .delete(
    '/favourites/:character_id',
    describeResponses('Remove a character from the user’s favourites', { 204: null }),
    async (c) => {
      const { user } = await requireAccount(c);
      await removeFavourite(c.get('db'), { userId: user.id, characterId: c.req.param('character_id') });
      return c.body(null, 204);
    },
  )
  .get(
    '/likes/:character_id',
    describeResponses('Check whether the user likes a character, and how many accounts do', {
      200: likeState,
    }),
    async (c) => {
      const caller = await requireAccount(c);
      const which = { userId: caller.user.id, characterId: c.req.param('character_id') };
      return c.json(await getLikeState(c.get('db'), { ...which, viewer: toViewer(caller) }));
    },
  )
  .put('/likes/:character_id', describeResponses('Like a character', { 204: null }), async (c) => {
    const caller = await requireAccount(c);
    const which = { userId: caller.user.id, characterId: c.req.param('character_id') };
    const done = await addLike(c.get('db'), { ...which, viewer: toViewer(caller), now: Date.now() });
    if (done !== 'kept') throw new Problem(done);
    return c.body(null, 204);
  })
  .delete('/likes/:character_id', describeResponses('Take a like back', { 204: null }), async (c) => {
    const { user } = await requireAccount(c);
    await removeLike(c.get('db'), { userId: user.id, characterId: c.req.param('character_id') });
    return c.body(null, 204);
  })
  .get(
    '/following',
    describeResponses('List the creators that the user follows, most recently followed first', {
      200: followedCreatorList,
    }),
    validateRequest('query', savedListsQuery),
    async (c) => {
      const { user } = await requireAccount(c);
      const input = {
        userId: user.id,
        staffEmails: c.get('settings').adminEmails,
        ...c.req.valid('query'),
      };
      return c.json(await listFollowedCreators(c.get('db'), input));
    },
  )
  // Before `/following/:creator_id`, which would match this path as an id.
  .get(
    '/following/characters',
    describeResponses('List the characters of followed creators, newest first', { 200: characterList }),
    validateRequest('query', savedListsQuery),
    async (c) => {
      const caller = await requireAccount(c);
      const input = { userId: caller.user.id, viewer: toViewer(caller), ...c.req.valid('query') };
      return c.json(await listFollowedCharacters(c.get('db'), input));
    },
  )
  .get(
    '/following/:creator_id',
    describeResponses('Check whether the user follows a creator', { 200: followState }),
    async (c) => {
      const { user } = await requireAccount(c);
      const which = { userId: user.id, creatorId: c.req.param('creator_id') };
      return c.json({ following: await isFollowing(c.get('db'), which) });
    },
  )
  .put('/following/:creator_id', describeResponses('Follow a creator', { 204: null }), async (c) => {
    const { user } = await requireAccount(c);
    const which = { userId: user.id, creatorId: c.req.param('creator_id') };
    const done = await addFollow(c.get('db'), { ...which, now: Date.now() });
    if (done !== 'kept') throw new Problem(done);
    return c.body(null, 204);
  })
  .delete('/following/:creator_id', describeResponses('Unfollow a creator', { 204: null }), async (c) => {
    const { user } = await requireAccount(c);
    await removeFollow(c.get('db'), { userId: user.id, creatorId: c.req.param('creator_id') });
    return c.body(null, 204);
  })
  .get(
    '/news',
    describeResponses('List what is new about favourites and followed creators, newest first', {
      200: newsList,
    }),
    async (c) => {
      const caller = await requireAccount(c);
      const input = { userId: caller.user.id, viewer: toViewer(caller), now: Date.now() };
      return c.json({ items: await listNews(c.get('db'), input) });
    },
  )
  .get(
    '/hidden',
    describeResponses('List the tags and creators that the user hides', { 200: hiddenList }),
    async (c) => {
      const { user } = await requireAccount(c);
      return c.json(await getHiddenList(c.get('db'), user.id));
    },
  )
  .put(
    '/hidden/tags/:tag',
    describeResponses('Hide a tag from the user’s lists', { 204: null }),
    async (c) => {
      const { user } = await requireAccount(c);
      const tag = knownTag.safeParse(c.req.param('tag'));
      if (!tag.success) throw new Problem('not_found');
      const done = await addHiddenItem(c.get('db'), {
        userId: user.id,
        kind: 'tag',
        target: tag.data,
        now: Date.now(),
      });
      if (done !== 'kept') throw new Problem(done);
      return c.body(null, 204);
    },
  )
  .delete('/hidden/tags/:tag', describeResponses('Stop hiding a tag', { 204: null }), async (c) => {
    const { user } = await requireAccount(c);
    await removeHiddenItem(c.get('db'), { userId: user.id, kind: 'tag', target: c.req.param('tag') });
    return c.body(null, 204);
  })
  .put(
    '/hidden/creators/:id',
    describeResponses('Hide a creator from the user’s lists', { 204: null }),
    async (c) => {
      const { user } = await requireAccount(c);
      const target = c.req.param('id');
      const done = await addHiddenItem(c.get('db'), {
        userId: user.id,
        kind: 'creator',
        target,
        now: Date.now(),
      });
      if (done !== 'kept') throw new Problem(done);
      return c.body(null, 204);
    },
  )
  .delete('/hidden/creators/:id', describeResponses('Stop hiding a creator', { 204: null }), async (c) => {
    const { user } = await requireAccount(c);
    await removeHiddenItem(c.get('db'), { userId: user.id, kind: 'creator', target: c.req.param('id') });
    return c.body(null, 204);
  });
