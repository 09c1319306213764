# Every attempt of threats.tsv and every flaw of ../flaws/flaws.tsv is a test with its number in its
# name: `ctest -R threats/T58`. A number has a golden file here, or tests below, or both; what is
# still without one is in pending.txt. threats/listed checks that.

foreach(folder threats flaws)
  file(GLOB case_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.test)
  foreach(file ${case_files})
    cmake_path(GET file STEM name)
    add_test(NAME ${folder}/${name} COMMAND golden_runner cases ${file}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endforeach()
endforeach()

# Unit tests by their names: dpsql_unit_case(threats/T02_files DuckDbOpenTest.AnythingElse…).
function(dpsql_unit_case name)
  list(JOIN ARGN ":" filter)
  add_test(NAME ${name} COMMAND dpsql_unit_tests --gtest_filter=${filter})
endfunction()

# Those of the PostgreSQL engine, on a server of their own, where one is installed.
function(dpsql_postgresql_case name filter)
  add_test(NAME ${name} COMMAND postgresql_tests --gtest_filter=${filter})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# What engines do differently: names, operators, casts, divisions, overflows, types of results, and
# NULLs in pairs, owners and keys. Spark's are in ../CMakeLists.txt, with all that its one server is
# asked.
set(CASES_OF_ENGINES threats/T01 threats/T11 threats/T16 threats/T17 threats/T19 threats/T20
  threats/T38 flaws/F12 flaws/F22b)
foreach(engine ${ENGINES_HERE})
  foreach(number ${CASES_OF_ENGINES})
    add_test(NAME ${number}_${engine} COMMAND golden_runner on-${engine}
             ${CMAKE_CURRENT_SOURCE_DIR}/${number}.test
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${number}_${engine} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

dpsql_unit_case(threats/T02_files DuckDbOpenTest.AnythingElseIsOutOfReach)
dpsql_postgresql_case(threats/T10_postgresql
  SnapshotTest.FunctionsOperatorsAndTablesOfOthersAreNotSeen)
dpsql_unit_case(threats/T13_limits ThreatsTest.T13* Limits.OfSize Limits.OfBrackets Limits.OfDepth
  Limits.OfOperatorRuns)
dpsql_unit_case(threats/T14_bytes Limits.OfBytes Limits.OfNames)
dpsql_unit_case(threats/T22_cost FunctionCost.DoesNotDouble* FunctionCost.OfPatternsIsLinearInTheText
  FunctionCost.OfAReplacementIsBounded KeyedHashTest.T22*)
dpsql_unit_case(threats/T23 DataSourcesTest.TheTimeLimitEndsAQueryAndCounts
  LedgerTermsTest.AbortsLockOutAfterTheAllowedNumberUntilAPardon
  LedgerTermsTest.NoMoreRunAtOnceThanMayFail)
dpsql_unit_case(threats/T26_clock QueryClock.*)
dpsql_unit_case(threats/T31_progress ThreatsTest.T31*)
dpsql_unit_case(threats/T34_order UnitBoundingTest.NoOrderMatters
  SelectKeysTest.DiscoveredKeysComeSorted)
dpsql_unit_case(threats/T37 ThreatsTest.T37*)
dpsql_unit_case(threats/T40_free SessionTest.ARefusedQueryIsFree)
dpsql_unit_case(threats/T41_price *CalibrateTest.TheNoiseDrawnKeepsWhatWasAsked*
  PlanTest.PriceIsTheSumOfItsCharges)
dpsql_unit_case(threats/T49_digest DigestTest.* LedgerTest.AReservationOfAnotherLedgerIsABug
  PaidPlanTest.*)
dpsql_unit_case(threats/T53 ThreatsTest.T53* SessionTest.LabelledDataIsAnsweredOnce
  SessionTest.UnlabelledDataIsDrawnAnew)
dpsql_unit_case(threats/T58_ledger LedgerTest.DeathAtEachNamedPointLeavesALedgerThatOpens
  LedgerTest.SpentSurvivesReopening LedgerTest.AStoreAfterAStoreIsABug
  LedgerTest.ATornHeadLineIsCompleted)
dpsql_unit_case(threats/T59_ledger LedgerTest.AReadOnlyLedgerIsAStorageError
  LedgerTest.UnusablePathsAreStorageErrors LedgerTest.ALogWithoutItsLedgerIsDamage
  LedgerTest.OneMissingFileIsDamage LedgerTest.ARestoredOldCopyIsDamage
  LedgerTest.AnOldOrForeignHeadIsDamage LedgerTest.AFileReplacedWhileInUseStopsTheLedger
  LedgerUpkeepTest.AnOldCopyPutBackAloneIsDamage
  LedgerUpkeepTest.AHeadFileKeptElsewhereShowsAnOldCopyOfBoth)
dpsql_unit_case(threats/T61_loop ThreatsTest.T61* SessionTest.ExplainingIsFree
  CorridorTest.ARefusedQueryNeverReachesTheDatabase)
dpsql_unit_case(threats/T64 LedgerTermsTest.AWindowBeginsAfreshAndOnlyOnce
  LedgerTermsTest.RandomClockJumpsNeverPassACapAndNeverRepeatAWindow
  LedgerTermsTest.AReceiptNeverPassesACapWhateverTheClockDoes)
dpsql_unit_case(threats/T65 ThreatsTest.T65* SessionTest.SessionsShareOneBudget
  LedgerTest.APolicyThatDiffersIsRefused)
dpsql_unit_case(threats/T67 ThreatsTest.T67*
  LedgerTermsTest.AnAnalystStopsAtHisOwnCapAndTheOthersGoOn
  LedgerTermsTest.WhoIsNotListedGetsNothing)
dpsql_unit_case(threats/T68 ThreatsTest.T68* PursesTest.* FixedPointTest.SumOfChargesNeverWraps)
dpsql_unit_case(threats/T74 ThreatsTest.T74* SessionTest.ADamagedFileSaysNothingOfItsRows)
dpsql_unit_case(threats/T76 ThreatsTest.T76*
  SelectKeysTest.OneDrawPerCellWithTheSigmaOfTheCount
  AddNoiseTest.OneDrawPerCoordinateWithTheSigmaOfItsStatistic)
dpsql_unit_case(threats/T77_ledger LedgerTest.OnlyItsOwnerCanReadTheFiles)

foreach(task "T58_kills kills 50" "T59_faults faults 150" "T59_damage damage 30")
  separate_arguments(arguments UNIX_COMMAND ${task})
  list(POP_FRONT arguments name)
  add_test(NAME threats/${name} COMMAND ledger_torture ${arguments} 3)
endforeach()
add_library(network_disk_shim MODULE threats/network_disk_shim.cc)
dpsql_test_target(network_disk_shim)
add_test(NAME threats/T59_network COMMAND ${Python3_EXECUTABLE} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/threats/network_disk.py ${PROJECT_BINARY_DIR}
         $<TARGET_FILE:network_disk_shim>)
add_test(NAME threats/T77_files COMMAND ${Python3_EXECUTABLE} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/threats/left_behind.py ${PROJECT_BINARY_DIR})
set_tests_properties(threats/T77_files PROPERTIES SKIP_RETURN_CODE 77)

dpsql_unit_case(flaws/F07_order CorridorTest.* LedgerTest.ThreadsRacingForTheLastSlotsGetExactlyThose
  DataSourcesTest.TheTimeLimitEndsAQueryAndCounts)
dpsql_unit_case(flaws/F10_keys UnitBoundingTest.AKeyWithoutRowsHasARow
  AddNoiseTest.EverySelectedKeyGetsNoise)
dpsql_unit_case(flaws/F10b UnitBoundingTest.WhoIsCountedContributes TwoStagesTest.*)
dpsql_unit_case(flaws/F12_pairs ChooseStatisticsTest.ThePairsRowsAreWhereBothValuesAre)
dpsql_unit_case(flaws/F16_filter FlawsTest.F16* AccountantTest.NamesReadBackAndPldIsNoFilter
  GdpFilterTest.CapsMatchTheExampleFromBelow)
dpsql_unit_case(flaws/F17 FlawsTest.F17* GaussianTest.MuIsRoundedDownByFiftyDigits
  ThresholdTest.ThresholdIsTheLeastThatKeepsTheLeak)
dpsql_unit_case(flaws/F18_sums FlawsTest.F18* EncodeTest.SumsAreWhole UnitCellsTest.*Int64*)
dpsql_unit_case(flaws/F19 UnitBoundingTest.NoOrderMatters SipHashTest.PriorityDependsOnEachPart
  CellBoundingTest.* SqliteTest.OneStateOfTheDataIsReadWhileOthersWrite)
dpsql_postgresql_case(flaws/F19_postgresql SnapshotTest.AllStatementsSeeOneState)
dpsql_unit_case(flaws/F20_logs ThreatsTest.T74*)
foreach(letter a c d e g h)
  dpsql_unit_case(flaws/F21${letter} FlawsTest.F21${letter}*)
endforeach()
dpsql_unit_case(flaws/F21f_shared ChooseStatisticsTest.VarianceMeanSumAndCountShareOneVector)
dpsql_unit_case(flaws/F21i LedgerTermsTest.EveryAccountantAdmitsExactlyWhatFits
  RdpAccountantTest.AdmitsExactlyAsManyAsItAnnounces ThreatsTest.T53WithoutALabel*)
dpsql_unit_case(flaws/F22a_classes DecoderTest.AWithheldClassSaysNothing
  UnitBoundingTest.WithheldCellsGetNothing)

# What was answered above, with and without one unit, within what the plan claims.
file(GLOB asked CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/threats/*.test
     ${CMAKE_CURRENT_SOURCE_DIR}/flaws/*.test)
add_test(NAME neighbours/threats COMMAND neighbour_runner ${asked}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

add_test(NAME threats/listed COMMAND ${Python3_EXECUTABLE} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/threats/check_list.py ${PROJECT_SOURCE_DIR}
         ${PROJECT_BINARY_DIR})
