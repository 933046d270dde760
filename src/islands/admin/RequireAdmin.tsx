import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import { $session } from '../shared/session-state.ts';
import './require-admin.css';

/**
 * What the operator's own people see of a page that is none for all others. The page comes as «not found», whoever asks;
 * only here, once it is known that an administrator is here, its own part takes the notice's place.
 * @param title what the document is called for them, whole
 */
export function RequireAdmin({ title, children }: { title: string; children: ReactNode }) {
  const { auth } = useStore($session, { ssr: 'initial' });
  const open = auth?.user?.role === 'admin';
  useEffect(() => {
    if (!open) return;
    const closed = document.title;
    document.title = title;
    document.documentElement.dataset['admin'] = '';
    return () => {
      document.title = closed;
      delete document.documentElement.dataset['admin'];
    };
  }, [open, title]);
  return open ? children : null;
}
