import { client, readJson } from '../shared/api.ts';
import { createPagedList } from '../shared/paged-list.ts';

const getId = ({ id }: { id: string }): string => id;

/** Creates the points history as a paged list of groups. */
export const createPointsHistory = () =>
  createPagedList({
    fetchPage: (cursor) =>
      readJson(client.points.history.$get({ query: cursor === undefined ? {} : { cursor } })),
    getId,
  });

/** Creates the list of a group's entries. */
export const createGroupEntries = (group: string) =>
  createPagedList({
    fetchPage: (cursor) =>
      readJson(client.points.ledger.$get({ query: { group, ...(cursor === undefined ? {} : { cursor }) } })),
    getId,
  });
