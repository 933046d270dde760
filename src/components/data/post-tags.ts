/** The blog's tags; blog.json has their names as `tag.*`. */
export const POST_TAGS = ['workings', 'writing', 'privacy', 'points', 'competition'] as const;

export type PostTag = (typeof POST_TAGS)[number];
