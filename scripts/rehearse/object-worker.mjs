// An object that is made as code of an earlier day left it, and brought up to date by the product's own migrations.
import { DurableObject } from 'cloudflare:workers';
import { migrateObject, ObjectMoves, sqlOf } from './object-migrations.mjs';

export class Rehearsed extends DurableObject {
  async fetch(request) {
    const { pathname, searchParams: asked } = new URL(request.url);
    const { steps, ...given } = await request.json();
    const { storage } = this.ctx;
    if (pathname === '/make') this.#make(steps, given);
    if (pathname === '/migrate') migrateObject(storage, steps);
    const moves = pathname === '/move' ? new ObjectMoves(storage, steps) : null;
    moves?.doPiece();
    return Response.json({
      bytes: storage.sql.databaseSize,
      waiting: moves?.waiting ?? false,
      ...(asked.has('state') ? this.#state(given.counted) : {}),
    });
  }

  #make(steps, { count, fillings }) {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      sql.exec('create table object_migrations (step integer primary key, applied_at integer not null)');
      for (const [index, step] of steps.slice(0, count).entries()) {
        if (sqlOf(step) !== '') sql.exec(sqlOf(step));
        sql.exec('insert into object_migrations values (?, 0)', index + 1);
      }
      for (const filling of fillings) sql.exec(filling.sql, ...filling.values);
    });
  }

  #state(counted) {
    const { sql } = this.ctx.storage;
    const one = (query) => sql.exec(query).one().n;
    return {
      step: one('select max(step) as n from object_migrations'),
      tables: one("select count(*) as n from sqlite_master where name not like '\\_cf\\_%' escape '\\'"),
      rows: counted.map((table) => one(`select count(*) as n from ${table}`)),
    };
  }
}

export default {
  fetch(request, env) {
    const name = new URL(request.url).searchParams.get('object');
    return env.OBJECTS.get(env.OBJECTS.idFromName(name)).fetch(request);
  },
};
