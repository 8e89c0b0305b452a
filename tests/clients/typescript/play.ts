// Two guests play a whole game through the generated types: `node play.js http://127.0.0.1:8000`.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { argv: string[]; exitCode: number };

type Game = components["schemas"]["Game"];
type View = components["schemas"]["View"];
type Problem = components["schemas"]["Problem"];
type Api = Client<paths>;

const MOST_MOVES = 2000;

class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

/** The answer's data; a problem is thrown. */
function told<T>(answer: { data?: T; error?: Problem }): T {
  if (answer.data === undefined) throw new Refused(answer.error as Problem);
  return answer.data;
}

/** Waits when a limit is reached, and asks again: the `Idempotency-Key` makes that safe. */
async function patiently(request: Request): Promise<Response> {
  for (;;) {
    const answer = await fetch(request.clone());
    if (answer.status !== 429) return answer;
    const seconds = Number(answer.headers.get("Retry-After") ?? "1");
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

async function comeIn(baseUrl: string): Promise<Api> {
  const api = createClient<paths>({ baseUrl, fetch: patiently });
  const guest = told(await api.POST("/api/v1/players/guest/", { body: {} }));
  api.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${guest.token}`);
      return request;
    },
  });
  return api;
}

async function sitDown(host: Api, other: Api): Promise<Game> {
  const made = told(
    await host.POST("/api/v1/games/", {
      params: { header: { "Idempotency-Key": crypto.randomUUID() } },
      body: {
        seats: 2,
        first_player: "host",
        turn_seconds: null,
        house_rules: { mode: "single", hand_size: 3 },
        entropy: "c0ffee",
      },
    }),
  );
  const path = { game_id: made.id };
  told(await other.POST("/api/v1/games/{game_id}/join/", { params: { path }, body: {} }));
  return told(await host.POST("/api/v1/games/{game_id}/start/", { params: { path }, body: {} }));
}

/** One move of a seat that may act: lay a card if one can. */
async function move(api: Api, id: string, seen: View): Promise<View> {
  const path = { game_id: id };
  const legal = told(await api.GET("/api/v1/games/{game_id}/legal/", { params: { path } }));
  const moves = legal.commands.filter(({ type }) => type !== "leave" && type !== "last");
  const chosen = moves.find(({ type }) => type === "play") ?? moves[0];
  if (chosen === undefined) throw new Error(`nothing to do at version ${legal.version}`);
  const answer = told(
    await api.POST("/api/v1/games/{game_id}/commands/", {
      params: { path, header: { "Idempotency-Key": crypto.randomUUID() } },
      body:
        chosen.card !== null
          ? {
              type: "play",
              cards: [{ card: chosen.card, color: chosen.color }],
              last_card: false,
              expected_version: seen.version,
            }
          : { command: chosen.command, expected_version: seen.version },
    }),
  );
  return answer.view;
}

async function playToTheEnd(players: Api[], id: string): Promise<number> {
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    let moved = false;
    for (const api of players) {
      const view = told(await api.GET("/api/v1/games/{game_id}/view/", { params: { path: { game_id: id } } }));
      if (view.phase === "finished") return moves;
      if (!view.may_act) continue;
      await move(api, id, view);
      moved = true;
      break;
    }
    if (!moved) throw new Error("nobody may act");
  }
  throw new Error("the game did not end");
}

/** The revealed seed is the one that was committed to before the deal. */
async function committed(audit: components["schemas"]["Audit"]): Promise<boolean> {
  const seed = Uint8Array.from(audit.server_seed?.match(/../g) ?? [], (digits) => parseInt(digits, 16));
  const text = new TextEncoder().encode("taki/1/commit");
  const hash = await crypto.subtle.digest("SHA-256", Uint8Array.from([...text, ...seed]));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex === audit.commitment;
}

/** Whether an unknown card is refused at its field, as the documentation says. */
async function refusedField(api: Api, id: string): Promise<string | undefined> {
  const answer = await api.POST("/api/v1/games/{game_id}/commands/", {
    params: { path: { game_id: id } },
    body: { type: "play", cards: [{ card: "R0" }], last_card: false },
  });
  return answer.error?.errors?.[0]?.field;
}

async function main(baseUrl: string): Promise<void> {
  const [host, other] = [await comeIn(baseUrl), await comeIn(baseUrl)];
  const { id } = await sitDown(host, other);
  const field = await refusedField(host, id);
  const moves = await playToTheEnd([host, other], id);
  const path = { game_id: id };
  const game = told(await host.GET("/api/v1/games/{game_id}/", { params: { path } }));
  const audit = told(await other.GET("/api/v1/games/{game_id}/audit/", { params: { path } }));
  const summary = { phase: game.phase, winner: game.winner, ranking: game.ranking, moves, field };
  console.log(JSON.stringify({ ...summary, committed: await committed(audit) }));
}

main(process.argv[2] ?? "http://127.0.0.1:8000").catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
