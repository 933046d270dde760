import { z } from 'zod';

/** A stored picture: the id for other calls, and the URL that serves it. */
export const uploadedPicture = z.object({ avatar_id: z.string(), url: z.string() });
export type UploadedPicture = z.infer<typeof uploadedPicture>;

/** The text for a missing picture and for one of another user (docs/product.md). */
export const MISSING_PICTURE_MESSAGE = 'Please upload an avatar';

/** The id of an uploaded picture, which is its storage key. */
export const pictureId = z
  .string({ error: ({ input }) => (input === undefined ? MISSING_PICTURE_MESSAGE : undefined) })
  .regex(/^[0-9a-f]{32}\.(?:webp|png|jpg|gif|avif)$/, MISSING_PICTURE_MESSAGE);
