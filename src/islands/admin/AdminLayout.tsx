import type { ReactNode } from 'react';
import { AdminDoor } from './RequireAdmin.tsx';
import { AdminNav, type AdminPage } from './AdminNav.tsx';
import { Dictionaries, type Dictionary, type Namespace } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';

/** What a page of the operator's own people gives its island. */
export interface AdminRoomProps<N extends Namespace> {
  lang: string;
  /** What the document is called for them, whole. */
  title: string;
  dictionary: Dictionary<N | 'admin'>;
}

/** Such a page's words and its door. */
export function AdminRoom<N extends Namespace>({
  lang,
  title,
  dictionary,
  children,
}: AdminRoomProps<N> & { children: ReactNode }) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <AdminDoor title={title}>{children}</AdminDoor>
    </Dictionaries>
  );
}

/** The head of such a page: the way to the others, what it is, and that there is no network. */
export function AdminHead({
  here,
  heading,
  about,
  offline,
  children,
}: {
  here: AdminPage;
  heading: string;
  about: string;
  /** What no network means here. */
  offline: string;
  /** Stands under the heading. */
  children?: ReactNode;
}) {
  const online = useOnline();
  return (
    <>
      <header className="flex flex-col gap-3">
        <AdminNav here={here} />
        <div>
          <h1>{heading}</h1>
          {children}
        </div>
        <p className="max-w-[var(--measure)] text-text-quiet">{about}</p>
      </header>
      {online ? null : (
        <p role="status" className="border-s-2 border-state ps-3">
          {offline}
        </p>
      )}
    </>
  );
}
