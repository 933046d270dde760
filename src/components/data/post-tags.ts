/** The blog's subjects; their names are `tag.*` of blog.json. */
export const POST_TAGS = ['workings', 'writing', 'privacy', 'points', 'competition'] as const;

export type PostTag = (typeof POST_TAGS)[number];
