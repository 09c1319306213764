#include "backend/query_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "base/check.h"
#include "base/error_codes.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

// A reader that does what a test says when a release is added.
class ScriptedReader : public SnapshotReader {
 public:
  explicit ScriptedReader(std::function<Status()> work) : work_(std::move(work)) {}

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door&) override {
    throw Bug("not asked");
  }
  Result<ExactTable> Count(const Door&) override { throw Bug("not asked"); }
  Result<ExactTable> Sum(const Door&, const KeySet&) override { throw Bug("not asked"); }
  Status Add(const PublicTable&) override { return work_(); }
  Result<std::vector<PublicTable>> ReadPublic(const DpPlan&) override { throw Bug("not asked"); }

 private:
  std::function<Status()> work_;
};

Error Interrupted() { return MakeError(ErrorCode::kInterrupted, "the query was interrupted"); }

std::string Ending(const Status& status) { return status ? "done" : status.error().message; }

TEST(QueryWatch, TimeThatIsOverStopsTheReader) {
  std::atomic<bool> stopped = false;
  const auto work = [&]() -> Status {
    while (!stopped) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Interrupted();
  };
  const auto reader =
      Watched(std::make_unique<ScriptedReader>(work), {.timeout = std::chrono::milliseconds(20),
                                                       .stamps = {},
                                                       .sign = std::make_shared<StopSign>(),
                                                       .stop = [&] { stopped = true; }});
  const Status status = reader->Add({});
  EXPECT_EQ(Ending(status), "the query took longer than the policy allows");
  EXPECT_EQ(status.error().code, "E503");  // not E505: it counts against the analyst
}

TEST(QueryWatch, AStopBeforeTheListenerIsHeard) {
  StopSign sign;
  int stops = 0;
  {
    const StopSign::Listener early(sign, [&] { ++stops; });
    sign.Stop();
  }
  EXPECT_EQ(stops, 1);
  const StopSign::Listener late(sign, [&] { stops += 10; });
  EXPECT_EQ(stops, 11);
}

TEST(QueryWatch, AQueryInTimeIsLeftAlone) {
  std::atomic<int> stops = 0;
  {
    const auto reader = Watched(std::make_unique<ScriptedReader>([]() -> Status { return Done{}; }),
                                {.timeout = std::chrono::hours(1),
                                 .stamps = {},

                                 .sign = std::make_shared<StopSign>(),

                                 .stop = [&] { ++stops; }});
    EXPECT_EQ(Ending(reader->Add({})), "done");
  }
  const auto reader =
      Watched(std::make_unique<ScriptedReader>([] { return Interrupted(); }),
              {.timeout = {}, .stamps = {}, .sign = std::make_shared<StopSign>(), .stop = [&] {
                 ++stops;
               }});
  EXPECT_EQ(Ending(reader->Add({})), "the query was interrupted");
  EXPECT_EQ(stops, 0);
}

TEST(QueryWatch, FilesThatChangeEndTheQuery) {
  const TempFolder folder;
  const std::string path = folder / "data.csv";
  const auto write = [&](const std::string& bytes) { std::ofstream(path) << bytes; };
  const auto after = [&](const std::function<void()>& change) {
    write("a\n1\n");
    const auto reader = Watched(std::make_unique<ScriptedReader>([&]() -> Status {
                                  change();
                                  return Done{};
                                }),
                                {.timeout = {},
                                 .stamps = {*StampOf(path)},

                                 .sign = std::make_shared<StopSign>(),

                                 .stop = nullptr});
    return Ending(reader->Add({}));
  };
  EXPECT_EQ(after([] {}), "done");
  const std::string changed = "the data changed while it was read";
  EXPECT_EQ(after([&] { write("a\n1\n2\n"); }), changed);
  EXPECT_EQ(after([&] { std::filesystem::remove(path); }), changed);
  // The same bytes at another time, and another file of the same time in its place.
  EXPECT_EQ(after([&] {
              const auto time = std::filesystem::last_write_time(path);
              std::filesystem::last_write_time(path, time + std::chrono::milliseconds(1));
            }),
            changed);
  EXPECT_EQ(after([&] {
              const auto time = std::filesystem::last_write_time(path);
              std::filesystem::copy_file(path, folder / "other");
              std::filesystem::last_write_time(folder / "other", time);
              std::filesystem::rename(folder / "other", path);
            }),
            changed);
}

}  // namespace
}  // namespace dpsql
