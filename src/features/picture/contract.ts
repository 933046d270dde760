import { z } from 'zod';

/** A picture that was taken: what other calls name it by, and where it is shown from. */
export const uploadedPicture = z.object({ avatar_id: z.string(), url: z.string() });
export type UploadedPicture = z.infer<typeof uploadedPicture>;

/** SPEC section 5: of a picture that is missing, and of one that is none of one's own. */
export const MISSING_PICTURE_MESSAGE = 'Please upload an avatar';

/** A picture as its upload named it: the key that it is served by. */
export const pictureId = z
  .string({ error: ({ input }) => (input === undefined ? MISSING_PICTURE_MESSAGE : undefined) })
  .regex(/^[0-9a-f]{32}\.(?:webp|png|jpg|gif|avif)$/, MISSING_PICTURE_MESSAGE);
