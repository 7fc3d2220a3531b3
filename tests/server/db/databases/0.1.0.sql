-- A data folder's kibitz.db as Kibitz 0.1.0 left it, before there were migrations.
BEGIN TRANSACTION;
CREATE TABLE "row" (
	table_id VARCHAR NOT NULL,
	seq INTEGER NOT NULL,
	actor VARCHAR NOT NULL,
	member VARCHAR NOT NULL,
	text TEXT NOT NULL,
	"key" VARCHAR,
	at DOUBLE NOT NULL,
	PRIMARY KEY (table_id, seq),
	FOREIGN KEY(table_id) REFERENCES "table" (id)
);
INSERT INTO "row" VALUES('kal',0,'A','ann','@a1','k1',1700000002.125);
INSERT INTO "row" VALUES('kal',1,'A','ann','back 0',NULL,1700000002.125);
INSERT INTO "row" VALUES('kal',2,'A','ann','@b1 ''é''','k2',1700000002.125);
CREATE TABLE "table" (
	id VARCHAR NOT NULL,
	game VARCHAR NOT NULL,
	rules VARCHAR NOT NULL,
	options JSON NOT NULL,
	start TEXT NOT NULL,
	seats JSON NOT NULL,
	created DOUBLE NOT NULL,
	owner VARCHAR NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "table" VALUES('kal','kalamala','1','{"repetition": "ko", "turn_limit": 0}','start','{"A": {"member": "ann"}, "B": {"bot": "greedy"}}',1700000000.5,'ann');
INSERT INTO "table" VALUES('kah','kahmate','1','{}','start','{"A": {"member": "bob"}, "B": {"member": "bob"}}',1700000001.25,'bob');
CREATE INDEX ix_table_owner ON "table" (owner);
CREATE UNIQUE INDEX row_key ON "row" (table_id, "key");
COMMIT;
