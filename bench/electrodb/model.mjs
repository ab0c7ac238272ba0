// The Post of models/content.yaml in ElectroDB. Prints the nanoseconds per operation as one JSON object.
import { Entity } from "electrodb";

const Post = new Entity({
  model: { entity: "Post", version: "1", service: "content" },
  attributes: {
    id: { type: "string", required: true },
    categoryId: { type: "string", required: true, validate: (value) => value.length >= 1 && value.length <= 64 },
    authorId: { type: "string", required: true, validate: (value) => value.length >= 1 && value.length <= 64 },
    title: { type: "string", required: true, validate: (value) => value.length >= 1 && value.length <= 200 },
    contents: { type: "string", required: true },
    thumbnailUrl: { type: "string", validate: /^https?:\/\/\S+$/ },
    Type: { type: "string", default: "Post" },
    CreatedAt: { type: "string", default: () => new Date().toISOString() },
    UpdatedAt: { type: "string", default: () => new Date().toISOString() },
  },
  indexes: {
    inCategory: {
      pk: { field: "PK", composite: ["categoryId"], template: "CATEGORY#${categoryId}", casing: "none" },
      sk: { field: "SK", composite: ["id"], template: "POST#${id}", casing: "none" },
    },
  },
}, { table: "FMWebAppTable" });

const create = (n) => Post.create({
  id: `p${n}`,
  categoryId: "c001",
  authorId: "u001",
  title: "2025 annual report",
  contents: "Markdown contents...",
  thumbnailUrl: "https://cdn.fm-web/thumbnail/p001.png",
}).params();
const query = () => Post.query.inCategory({ categoryId: "c001" }).params({ limit: 50 });

// Returns the nanoseconds per operation, the best of several rounds after a warm-up.
function nanos(operation) {
  for (let n = 0; n < 20000; n++) operation(n);
  let best = Infinity;
  for (let round = 0; round < 7; round++) {
    const count = 20000;
    const start = process.hrtime.bigint();
    for (let n = 0; n < count; n++) operation(n);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / count);
  }
  return best;
}

console.log(JSON.stringify({ create: nanos(create), query: nanos(query), shape: [create(1), query()] }));
