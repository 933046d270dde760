/** What a page shows of itself where it is shared. */
export interface SharePicture {
  /** A path of this site. */
  path: string;
  type: string;
  /** In pixels, as the file has them. */
  width: number;
  height: number;
  /** What is to be seen, in words. */
  alt?: string;
}

/** Of pages that have no picture of their own. */
export const SITE_PICTURE: SharePicture = {
  path: '/icons/share.png',
  type: 'image/png',
  width: 1200,
  height: 1200,
};
